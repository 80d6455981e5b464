/** What a journey stands on: one product a worker (it is dear to start), Chromium, and fresh visitors, who leave when it ends. */
import { type BrowserContext, test as plain } from '@playwright/test'
import { type Look, type Product, startProduct, type Visitor, visitor } from './product.ts'

interface Journey {
  /** A fresh visitor. */
  visit: (look?: Look) => Promise<Visitor>
}

const START_MS = 180_000

/** Journeys over a product with these words of `lustra up`, below this path of its host. */
export const testOver = (words: readonly string[], base = '') =>
  plain.extend<Journey, { product: Product }>({
    product: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which other fixtures it needs
      async ({}, use) => {
        const product = await startProduct(words, base)
        await use(product)
        await product.stop()
      },
      { scope: 'worker', timeout: START_MS },
    ],
    visit: async ({ browser, product }, use) => {
      const contexts: BrowserContext[] = []
      await use(async (look) => {
        const came = await visitor(browser, product, look)
        contexts.push(came.context)
        return came
      })
      for (const context of contexts) await context.close()
    },
  })

export const test = testOver(['--no-history'])
export { expect } from '@playwright/test'
