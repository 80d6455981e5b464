import { defineConfig, mergeConfig } from 'vitest/config'
import vite from './vite.config.ts'

export default mergeConfig(
  vite,
  defineConfig({
    test: {
      restoreMocks: true,
      testTimeout: 60_000, // of what hangs
      coverage: {
        provider: 'v8',
        include: ['src/canvas/{document,geometry,raster,tools}/**/*.ts'], // what draws is looked at in Chromium
        reporter: ['text-summary'],
        thresholds: {
          // Shares in %, as reached: they only grow.
          'src/canvas/document/**': { lines: 90, branches: 84 },
          'src/canvas/geometry/**': { lines: 92, branches: 83 },
          'src/canvas/raster/**': { lines: 90, branches: 69 },
          'src/canvas/tools/**': { lines: 95, branches: 90 },
        },
      },
      projects: [
        { extends: true, test: { name: 'canvas', environment: 'node', include: ['src/canvas/**/*.test.ts'] } },
        {
          extends: true,
          test: {
            name: 'page',
            setupFiles: ['src/shared/test-setup.ts'],
            environment: 'jsdom',
            pool: 'vmThreads', // one page a worker: making one costs a second
            include: ['src/{app,features,shared,widgets}/**/*.test.{ts,tsx}'],
          },
        },
      ],
    },
  }),
)
