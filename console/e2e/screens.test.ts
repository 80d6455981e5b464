/**
 * Every screen in nine languages and four widths, each loaded once: language, width, theme and size of letters are changed
 * on the page, as a person changes them. Nothing is cut, torn or over something else, and no page scrolls sideways. One
 * language of each direction is looked at in every width, the others in one, from screen to screen the next; in the album
 * all of them in every width, with other letters, and by axe in either theme and direction.
 */
import type { Page } from '@playwright/test'
import { LANGUAGES } from '../src/shared/i18n/languages.ts'
import { axe } from './axe.ts'
import { logIn, type Visitor } from './product.ts'
import { speak } from './screens/language.ts'
import { faultsOf, settle } from './screens/layout.ts'
import { paths } from './screens/routes.ts'
import { expect, test } from './stage.ts'

const DESKTOP = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
const SIZES = [DESKTOP, { width: 1024, height: 768 }, { width: 768, height: 1024 }, PHONE]
const ZOOMED = { width: 720, height: 450 } // the desktop at 200 %
/** One language for each direction: looked at in every width, and by axe. */
const DIRECTIONS = new Set(['en', 'ar'])
const PARTS = 6 // each short enough to be looked at alone: `-g '2 of 6'`
const LONGEST_MS = 600_000 // hundreds of states, on a machine that has other work
const MOST_NAMED = 6 // states of one problem
const SPACED = '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }'

/** What a person may do to the letters of any page (WCAG 1.4.4, 1.4.12), and what it is called. */
const LETTERS = {
  large: () => {
    document.documentElement.dataset.size = 'large'
  },
  spaced: (css: string) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets = [sheet]
    document.documentElement.dataset.size = 'default'
  },
  usual: () => {
    document.adoptedStyleSheets = []
    document.documentElement.dataset.size = 'default'
  },
}

for (let part = 1; part <= PARTS; part++)
  test(`screens stand right in nine languages and four widths: ${part} of ${PARTS}`, async ({ product, visit }) => {
    test.setTimeout(LONGEST_MS)
    const visitors = await Promise.all([visit(), visit()])
    for (const { page } of visitors) await logIn(page, product, 'admin')
    const all = await paths(visitors[0].page, product)
    const own = all.map((path, turn) => ({ path, turn })).filter(({ turn }) => turn % PARTS === part - 1)
    const walk = async ({ page, faults }: Visitor) => {
      for (let next = own.shift(); next; next = own.shift()) {
        const problems = await problemsOf(page, product.url + next.path, next.turn)
        expect.soft([...problems, ...faults.splice(0)], next.path).toEqual([])
      }
    }
    await Promise.all(visitors.map(walk))
  })

/** Of one screen, in all its states; each problem with the states that have it. */
async function problemsOf(page: Page, url: string, turn: number): Promise<string[]> {
  const whole = test.info().project.name === 'album'
  await page.setViewportSize(DESKTOP)
  await page.goto(url)
  await expect(page).toHaveTitle(/ · Lustra$/)
  await page.waitForLoadState('networkidle')
  const wrong = new Map<string, string[]>()
  const note = (state: string, problems: string[]) => {
    for (const problem of problems) wrong.set(problem, [...(wrong.get(problem) ?? []), state])
  }
  const look = async (state: string) => {
    await settle(page)
    note(state, await faultsOf(page))
  }
  const inLayout = (await page.locator('header .tabler-icon-language').count()) > 0
  for (const [place, language] of (inLayout ? Object.keys(LANGUAGES) : ['en']).entries()) {
    await page.setViewportSize(DESKTOP)
    if (inLayout) await speak(page, language)
    const sizes = SIZES.filter((_, i) => whole || DIRECTIONS.has(language) || i === (place + turn) % SIZES.length)
    for (const size of sizes) {
      await page.setViewportSize(size)
      await look(`${language} ${size.width}`)
    }
    if (!whole) continue
    for (const size of [DESKTOP, PHONE]) {
      await page.setViewportSize(size)
      await page.evaluate(LETTERS.large)
      await look(`${language} ${size.width} large`)
      if (DIRECTIONS.has(language)) {
        await page.evaluate(LETTERS.spaced, SPACED)
        await look(`${language} ${size.width} spaced`)
      }
      await page.evaluate(LETTERS.usual)
    }
    if (!DIRECTIONS.has(language)) continue
    await page.setViewportSize(ZOOMED)
    await look(`${language} at 200 %`)
    await page.setViewportSize(DESKTOP)
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      note(`${language} ${colorScheme}`, await axe(page))
    }
  }
  return [...wrong].map(([problem, states]) => `${problem} [${states.slice(0, MOST_NAMED).join(', ')}]`)
}
