/** What axe finds on a page, WCAG 2.2 AA; empty is the goal everywhere. Names that differ from what is read count too. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const LOOKS = 2 // more, where something was found

interface Axe {
  run(context: Document | string, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

/** `within`: a selector of the part that is looked at, the whole page without. */
export async function axe(page: Page, within?: string): Promise<string[]> {
  const present = await page.evaluate(() => 'axe' in globalThis)
  if (!present) await page.evaluate(SOURCE) // not inserted: the page's policy allows no script of others
  let violations = await look(page, within)
  for (let again = 0; violations.length > 0 && again < LOOKS; again++) violations = await look(page, within)
  return violations
}

/** What begins to fade while axe looks has half its contrast: only what stands when it has ended is a fault. */
const look = (page: Page, within: string | undefined): Promise<string[]> =>
  page.evaluate(
    async ({ tags, within: part }) => {
      const { axe: tool } = globalThis as unknown as { axe: Axe }
      const ending = document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
      await Promise.allSettled(ending.map((animation) => animation.finished))
      const rules = { 'label-content-name-mismatch': { enabled: true } } // an experimental rule, off by itself
      const { violations } = await tool.run(part ?? document, {
        runOnly: { type: 'tag', values: tags },
        rules,
        resultTypes: ['violations'],
      })
      const faults = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
      // Robots may stand side by side: where a mark is on a map is what it says (WCAG 2.5.8, "essential").
      return faults.filter((text) => !(text.startsWith('target-size') && text.includes('data-robot=')))
    },
    { tags: TAGS, within },
  )
