/** The language of a page, changed on the page. */
import type { Page } from '@playwright/test'

/** Chooses it in the header, unless the page speaks it already, and waits until it does. */
export const speak = (page: Page, language: string) =>
  page.evaluate(async (to) => {
    if (document.documentElement.lang === to) return
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    document.querySelector<HTMLElement>('header button:has(.tabler-icon-language)')?.click()
    for (let line: HTMLElement | null = null; !line; await frame()) {
      line = document.querySelector<HTMLElement>(`[role=menuitemradio] [lang="${to}"]`)
      line?.click()
    }
    while (document.documentElement.lang !== to) await frame()
  }, language)
