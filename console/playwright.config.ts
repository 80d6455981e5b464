/**
 * The journeys, with a look at how each screen stands, and the album of all screens and dialogs, which looks longer, in the
 * Chromium of the system. A worker has a product of its own, and often waits: for a robot to drive, for a page. What fails
 * is tried once more, and named as flaky when it passes then: a machine that stands still for a minute fails no release, and
 * what is flaky is mended. The second try leaves a trace in test-results.
 */
import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { launchOptions } from './e2e/product.ts'

const PRODUCTS = 2 // at once, at most
const PATIENCE_MS = 60_000 // one wait of a page, on a machine that has other work
const LONGEST_MS = 480_000
const ALL_MS = 24 * 60_000 // before `make test` ends what hangs, so that what failed is still named
const ENOUGH_FAILURES = 10 // each may have waited for minutes

export default defineConfig({
  testDir: 'e2e',
  timeout: LONGEST_MS,
  globalTimeout: ALL_MS,
  maxFailures: ENOUGH_FAILURES,
  expect: { timeout: PATIENCE_MS },
  retries: 1,
  forbidOnly: true,
  workers: Math.min(PRODUCTS, availableParallelism()),
  reporter: process.env.CI ? 'dot' : 'list', // where nobody waits, what failed is to be found at once
  use: {
    actionTimeout: PATIENCE_MS,
    navigationTimeout: PATIENCE_MS,
    trace: 'on-first-retry', // its film takes as much of the machine as the journey, so only what failed is filmed
    launchOptions,
  },
  projects: [
    { name: 'journeys', testMatch: '*.test.ts' },
    { name: 'album', testMatch: ['album.ts', 'screens.test.ts', 'screens/dialogs.test.ts'] },
  ],
})
