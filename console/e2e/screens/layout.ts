/**
 * What is wrong with how a page stands on the screen, measured in the page: words cut without a way to read them whole, words
 * over other words, words out of their button or column, a text torn to single letters, a page that scrolls sideways.
 */
import type { Page } from '@playwright/test'

/** Two frames: one in which the page hears of a change, one in which it stands. */
export const settle = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )

export const faultsOf = (page: Page): Promise<string[]> => page.evaluate(measure)

/** Runs in the page: nothing of outside is known here. */
function measure(): string[] {
  const AIR = 1.5 // px by which roundings differ
  const INK = 0.4 // of the size of letters, above and below the middle of their line
  const TORN = { letters: 4, part: 0.7 } // so many lines a letter are no text any more
  const HOLDERS = 'button, [role="tab"], [role="option"], td, th, label, dt, dd, legend, [data-tag]'
  const faults = new Set<string>()
  const styles = new Map<Element, CSSStyleDeclaration>()
  const styleOf = (element: Element) => {
    const style = styles.get(element) ?? getComputedStyle(element)
    styles.set(element, style)
    return style
  }
  const nameOf = (element: Element) => {
    const [own = ''] = typeof element.className === 'string' ? element.className.split(' ') : []
    return `${element.tagName.toLowerCase()}${own && `.${own}`}`
  }

  // sideways
  for (const box of [document.documentElement, document.querySelector('main')]) {
    if (!box || box.scrollWidth <= box.clientWidth + 1) continue
    const edge = box.getBoundingClientRect()
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      element !== box &&
      (styleOf(element).overflowX !== 'visible' || scrolls(element.parentElement))
    const wide = [...box.querySelectorAll('*')].filter((element) => {
      const { left, right } = element.getBoundingClientRect()
      return (right > edge.right + 1 || left < edge.left - 1) && !scrolls(element.parentElement)
    })
    faults.add(`sideways ${box.scrollWidth - box.clientWidth} px: ${wide.slice(-2).map(nameOf).join(' ')}`)
  }

  interface Ink {
    readonly element: Element
    readonly text: string
    readonly left: number
    readonly right: number
    readonly top: number
    readonly bottom: number
  }
  const inks: Ink[] = []
  const titled = (element: Element) =>
    element.closest('[title], [aria-label]:not(main, section, nav, table, ul, ol)') !== null

  /** Where an ancestor cuts it: the box that is left, and what is cut without a word. */
  function clip(ink: Ink, size: number): Ink | undefined {
    let { left, right, top, bottom } = ink
    for (let box: Element | null = ink.element; box; box = box.parentElement) {
      const style = styleOf(box)
      if (style.position === 'fixed') break
      const across = style.overflowX !== 'visible'
      const along = style.overflowY !== 'visible'
      if (!across && !along) continue
      if (style.display === 'inline') continue
      const edge = box.getBoundingClientRect()
      const inner = {
        left: edge.left + box.clientLeft,
        right: edge.left + box.clientLeft + box.clientWidth,
        top: edge.top + box.clientTop,
        bottom: edge.top + box.clientTop + box.clientHeight,
      }
      const fixed = (how: string) => how === 'hidden' || how === 'clip'
      const beyond = Math.max(right - inner.right, inner.left - left)
      const under = Math.max(bottom - inner.bottom, inner.top - top)
      const named = titled(ink.element)
      if (fixed(style.overflowX) && beyond > AIR && !named)
        faults.add(`cut ${Math.round(beyond)} px: ${nameOf(box)} “${ink.text}”`)
      else if (
        fixed(style.overflowY) &&
        under > AIR &&
        under < size * 2 &&
        !named &&
        styleOf(box).webkitLineClamp === 'none'
      )
        faults.add(`cut below ${Math.round(under)} px: ${nameOf(box)} “${ink.text}”`)
      if (across) [left, right] = [Math.max(left, inner.left), Math.min(right, inner.right)]
      if (along) [top, bottom] = [Math.max(top, inner.top), Math.min(bottom, inner.bottom)]
      if (left >= right || top >= bottom) return undefined
    }
    return { ...ink, left, right, top, bottom }
  }

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue?.trim() ?? ''
    const element = node.parentElement
    if (!text || !element || element.closest('svg, option, script, style, noscript, .unseen')) continue
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    range.selectNodeContents(node)
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 0.5 && height > 0.5)
    if (rects.length === 0) continue
    const words = text.slice(0, 40)
    const lines = new Set(rects.map(({ top }) => Math.round(top))).size
    if (text.length >= TORN.letters && lines >= text.length * TORN.part)
      faults.add(`torn: ${nameOf(element)} “${words}”`)
    const size = Number.parseFloat(styleOf(element).fontSize)
    const holder = element.closest(HOLDERS)
    const bounds = holder && styleOf(holder).display !== 'inline' ? holder.getBoundingClientRect() : undefined
    for (const { left, right, top, bottom } of rects) {
      const middle = (top + bottom) / 2
      const ink = clip(
        { element, text: words, left, right, top: middle - size * INK, bottom: middle + size * INK },
        size,
      )
      if (!ink) continue
      inks.push(ink)
      const out = bounds ? Math.max(ink.right - bounds.right, bounds.left - ink.left) : 0
      if (holder && out > AIR) faults.add(`out of ${nameOf(holder)} by ${Math.round(out)} px: “${words}”`)
    }
  }

  // over each other: both are seen at one point
  const seesThrough = (element: Element) => {
    const { backgroundColor, backgroundImage } = styleOf(element)
    return /^(?:transparent|rgba\(.*, 0(?:\.\d+)?\))$/.test(backgroundColor) && backgroundImage === 'none'
  }
  const sorted = inks.sort((a, b) => a.top - b.top)
  for (const [i, a] of sorted.entries())
    for (let j = i + 1; j < sorted.length; j++) {
      const b = sorted[j]
      if (!b || b.top > a.bottom - 2) break
      if (a.element === b.element) continue
      const [left, right] = [Math.max(a.left, b.left), Math.min(a.right, b.right)]
      const [top, bottom] = [Math.max(a.top, b.top), Math.min(a.bottom, b.bottom)]
      if (right - left < 2 || bottom - top < 2) continue
      const stack = document.elementsFromPoint((left + right) / 2, (top + bottom) / 2)
      const [p, q] = [stack.indexOf(a.element), stack.indexOf(b.element)]
      if (p < 0 || q < 0) continue
      const between = stack.slice(Math.min(p, q), Math.max(p, q))
      const under = p < q ? b.element : a.element
      if (between.every((element) => seesThrough(element) || element.contains(under)))
        faults.add(`over each other: ${nameOf(a.element)} “${a.text}” and ${nameOf(b.element)} “${b.text}”`)
    }
  return [...faults]
}
