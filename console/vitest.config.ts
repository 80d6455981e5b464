import { defineConfig, mergeConfig } from 'vitest/config'
import vite from './vite.config.ts'

export default mergeConfig(
  vite,
  defineConfig({
    test: {
      environment: 'jsdom',
      pool: 'vmThreads', // one jsdom a worker, not one a file
      include: ['src/**/*.test.{ts,tsx}'],
      setupFiles: ['src/shared/test-setup.ts'],
      restoreMocks: true,
    },
  }),
)
