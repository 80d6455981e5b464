import { defineConfig, mergeConfig } from 'vitest/config'
import vite from './vite.config.ts'

export default mergeConfig(
  vite,
  defineConfig({
    test: {
      setupFiles: ['src/shared/test-setup.ts'],
      restoreMocks: true,
      testTimeout: 60_000, // of what hangs
      projects: [
        { extends: true, test: { name: 'canvas', environment: 'node', include: ['src/canvas/**/*.test.ts'] } },
        {
          extends: true,
          test: {
            name: 'page',
            environment: 'jsdom',
            pool: 'vmThreads', // one page a worker: making one costs a second
            include: ['src/{app,features,shared,widgets}/**/*.test.{ts,tsx}'],
          },
        },
      ],
    },
  }),
)
