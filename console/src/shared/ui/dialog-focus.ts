/**
 * Where the focus is while a dialog is open, and after: a person at the keyboard begins at its first field, or at the button
 * that changes nothing, and goes on where they were.
 */
const FIELD = 'input, textarea, select, [role="combobox"]'
const USABLE = ':not([disabled], [readonly], [type="hidden"], [type="file"])'

/** `footer`: its buttons, the one that changes nothing first. */
export function focusFirst(content: Element | null | undefined, footer: Element | null | undefined) {
  const fields = [...(content?.querySelectorAll<HTMLElement>(`:is(${FIELD})${USABLE}`) ?? [])]
  const safe = footer?.querySelector<HTMLElement>('button')
  ;(fields.find((field) => field.checkVisibility?.() ?? true) ?? safe)?.focus()
}

/** To what opened it, or to the page where that is gone. */
export function giveBack(opener: Element | null) {
  if (document.activeElement && document.activeElement !== document.body) return
  const place = opener instanceof HTMLElement && opener.isConnected ? opener : document.querySelector('main')
  place?.focus({ preventScroll: true })
}

/** Somebody has put it there already. */
export const inField = () => document.activeElement?.matches(FIELD) === true
