/**
 * A box above all else, beside what opened it: where there is room, also in right-to-left. Escape, a press elsewhere and
 * the focus leaving it close it. Dialogs are in the browser's top layer, so this is too: as a manual popover.
 */
import { type HTMLAttributes, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import styles from './floating.module.css'

const GAP = 4 // px, from its anchor and from the edge of the screen

/** What it stands beside; a point is a box without a size. */
export type Anchor = () => Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'> | undefined

interface Props extends HTMLAttributes<HTMLDivElement> {
  readonly anchor: Anchor
  /** A press on it does not close, as it opens and closes by itself. */
  readonly opener: RefObject<HTMLElement | null>
  /** Below with starts or ends in line; beside: at the side where lines end. */
  readonly place?: 'below' | 'below-end' | 'beside'
  onClose(): void
}

export function Floating({ anchor, opener, place = 'below', onClose, className = '', ...rest }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    element.showPopover()
    const move = () => moveTo(element, anchor, place)
    move()
    addEventListener('resize', move)
    document.addEventListener('scroll', move, true)
    return () => {
      removeEventListener('resize', move)
      document.removeEventListener('scroll', move, true)
    }
  })
  useDismissal(box, opener, onClose)
  return <div {...rest} ref={box} popover="manual" className={`${styles.floating} ${className}`} />
}

function moveTo(element: HTMLElement, anchor: Anchor, place: NonNullable<Props['place']>) {
  const at = anchor()
  if (!at) return
  const { offsetWidth: width, offsetHeight: height } = element
  const { clientWidth, clientHeight } = document.documentElement
  const rtl = document.documentElement.dir === 'rtl'
  const clamp = (start: number, size: number, whole: number) => Math.max(GAP, Math.min(start, whole - size - GAP))
  if (place === 'beside') {
    const [near, far] = rtl ? [at.left - width - GAP, at.right + GAP] : [at.right + GAP, at.left - width - GAP]
    const fits = near >= GAP && near + width + GAP <= clientWidth
    element.style.left = `${clamp(fits ? near : far, width, clientWidth)}px`
    element.style.top = `${clamp(at.top - GAP, height, clientHeight)}px`
    return
  }
  const atLeft = (place === 'below') !== rtl
  element.style.left = `${clamp(atLeft ? at.left : at.right - width, width, clientWidth)}px`
  const below = at.bottom + GAP
  const fits = below + height + GAP <= clientHeight || at.top < clientHeight - at.bottom
  element.style.top = `${clamp(fits ? below : at.top - height - GAP, height, clientHeight)}px`
}

/** Only the innermost answers to Escape. */
function useDismissal(box: RefObject<HTMLElement | null>, opener: RefObject<HTMLElement | null>, onClose: () => void) {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    const inside = (target: EventTarget | null) =>
      target instanceof Node && (box.current?.contains(target) || opener.current?.contains(target))
    const onPress = ({ target }: Event) => inside(target) || close.current()
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      event.preventDefault() // a dialog that it stands in stays
      close.current()
      opener.current?.focus()
    }
    const onFocus = ({ target }: FocusEvent) => inside(target) || close.current()
    const element = box.current
    document.addEventListener('pointerdown', onPress, true)
    document.addEventListener('focusin', onFocus)
    element?.addEventListener('keydown', onKey)
    opener.current?.addEventListener('keydown', onKey)
    const button = opener.current
    return () => {
      document.removeEventListener('pointerdown', onPress, true)
      document.removeEventListener('focusin', onFocus)
      element?.removeEventListener('keydown', onKey)
      button?.removeEventListener('keydown', onKey)
    }
  }, [box, opener])
}
