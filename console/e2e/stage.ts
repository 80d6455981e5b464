/** One product and one browser for all tests of a run: both are dear to start, and a person's console shares them as well. */
import { after, before } from 'node:test'
import type { Browser } from 'playwright-core'
import { closeAll, type Product, startBrowser, startProduct } from './product.ts'

export let product: Product
export let browser: Browser

before(async () => {
  product = await startProduct('--no-history')
  browser = await startBrowser()
})
after(() => closeAll(browser, product))
