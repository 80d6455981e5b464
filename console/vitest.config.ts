import { defineConfig, mergeConfig } from 'vitest/config'
import vite from './vite.config.ts'

export default mergeConfig(
  vite,
  defineConfig({
    test: {
      reporters: ['minimal'], // what passes says nothing: what fails is found at once
      silent: 'passed-only',
      restoreMocks: true,
      maxWorkers: '100%', // by itself it leaves a core to its own process, which has next to nothing to do
      testTimeout: 60_000, // of what hangs
      coverage: {
        provider: 'v8',
        include: ['src/canvas/{document,geometry,raster,tools}/**/*.ts'], // what draws is looked at in Chromium
        reporter: ['text-summary'],
        thresholds: { lines: 100, branches: 100, functions: 100 },
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
