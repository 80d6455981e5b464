/**
 * Menus by the pattern of WAI-ARIA: arrows, Home, End and first letters move, Enter chooses, Escape and a press elsewhere
 * close; a choice within a choice opens at its side. `MenuButton` opens one with a press, `ContextMenu` where the pointer is.
 */
import { type ButtonHTMLAttributes, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { type Anchor, Floating } from './floating'
import styles from './menu.module.css'

export interface MenuItem {
  readonly key: string
  readonly label: ReactNode
  readonly icon?: ReactNode
  /** At the end of the line. */
  readonly extra?: ReactNode
  readonly danger?: boolean
  readonly disabled?: boolean
  /** One of several, of which one is on. */
  readonly on?: boolean
  readonly children?: readonly MenuItem[]
}

/** A line between, or a heading. */
export type MenuEntry = MenuItem | 'line' | { readonly heading: ReactNode }

interface ListProps {
  readonly label: string
  readonly entries: readonly MenuEntry[]
  readonly anchor: Anchor
  readonly opener: React.RefObject<HTMLElement | null>
  readonly place?: 'below' | 'below-end' | 'beside'
  onPick(key: string): void
  onClose(): void
}

const lines = (list: HTMLElement) =>
  [...list.querySelectorAll<HTMLElement>(':scope > [role^=menuitem], :scope > div > [role^=menuitem]')].filter(
    (line) => line.ariaDisabled !== 'true' && line.getAttribute('aria-disabled') !== 'true',
  )

function focusBy(list: HTMLElement, key: string): boolean {
  const all = lines(list)
  const focused = document.activeElement
  const at = focused instanceof HTMLElement ? all.indexOf(focused) : -1
  const step: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 }
  const place = step[key]
  if (place !== undefined) all.at(place % all.length)?.focus()
  else if (key.length === 1 && key !== ' ') {
    const starts = (line: HTMLElement) =>
      line.textContent?.trim().toLocaleLowerCase().startsWith(key.toLocaleLowerCase())
    const next = [...all.slice(at + 1), ...all.slice(0, at + 1)].find(starts)
    next?.focus()
  } else return false
  return true
}

function MenuList({ label, entries, anchor, opener, place = 'below', onPick, onClose }: ListProps) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = list.current
    if (element) (lines(element).find((line) => line.ariaChecked === 'true') ?? lines(element)[0])?.focus()
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation() // what lies around it has keys of its own, and so has the menu that holds this one
    if (event.key === 'Tab') return onClose()
    const back = document.documentElement.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
    if (event.key === back && place === 'beside') {
      onClose()
      opener.current?.focus()
    } else if (!list.current || !focusBy(list.current, event.key)) return
    event.preventDefault()
  }
  return (
    <Floating className={styles.menu ?? ''} anchor={anchor} opener={opener} place={place} onClose={onClose}>
      <div ref={list} role="menu" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
        {entries.map((entry, i) => {
          // biome-ignore lint/suspicious/noArrayIndexKey: lines and headings have no name of their own
          if (entry === 'line') return <hr key={i} />
          if ('heading' in entry)
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <div key={i} role="presentation" className={styles.heading}>
                {entry.heading}
              </div>
            )
          return entry.children ? (
            <Group key={entry.key} item={entry} items={entry.children} onPick={onPick} />
          ) : (
            <Line key={entry.key} item={entry} onPick={onPick} />
          )
        })}
      </div>
    </Floating>
  )
}

function Line({ item, onPick }: { item: MenuItem; onPick(key: string): void }) {
  const { key, label, icon, extra, danger, disabled, on } = item
  return (
    <button
      type="button"
      role={on === undefined ? 'menuitem' : 'menuitemradio'}
      {...(on !== undefined && { 'aria-checked': on })}
      tabIndex={-1}
      className={styles.line}
      aria-disabled={disabled || undefined}
      data-danger={danger || undefined}
      onPointerMove={({ currentTarget }) => !disabled && currentTarget.focus({ preventScroll: true })}
      onClick={(event) => {
        event.stopPropagation()
        if (!disabled) onPick(key)
      }}
    >
      {icon}
      <span>{label}</span>
      {extra}
    </button>
  )
}

function Group({ item, items, onPick }: { item: MenuItem; items: readonly MenuItem[]; onPick(key: string): void }) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const forward = () => (document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight')
  return (
    <div role="presentation" onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setOpen(false)}>
      <button
        ref={button}
        type="button"
        role="menuitem"
        tabIndex={-1}
        className={styles.line}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setOpen(true)}
        onClick={(event) => {
          event.stopPropagation()
          setOpen(true)
        }}
        onKeyDown={(event) => {
          if (event.key !== forward()) return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {item.icon}
        <span>{item.label}</span>
        <i className={styles.more} aria-hidden="true" />
      </button>
      {open && (
        <MenuList
          label={String(item.label)}
          entries={items}
          anchor={() => button.current?.getBoundingClientRect()}
          opener={button}
          place="beside"
          onPick={onPick}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick'> {
  /** Names the button and the menu. */
  readonly 'aria-label': string
  /** Asked when it opens. */
  readonly entries: () => readonly MenuEntry[]
  readonly place?: 'below' | 'below-end'
  onPick(key: string): void
}

/** A button that opens a menu. */
export function MenuButton({ entries, place = 'below-end', onPick, ...rest }: ButtonProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        type="button"
        {...rest}
        ref={button}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
      />
      {open && (
        <MenuList
          label={rest['aria-label']}
          entries={entries()}
          anchor={() => button.current?.getBoundingClientRect()}
          opener={button}
          place={place}
          onPick={(key) => {
            setOpen(false)
            button.current?.focus()
            onPick(key)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

/** The menu of the right mouse button, or of a long press, at the place of the press. */
export function useContextMenu(label: string, entries: () => readonly MenuEntry[], onPick: (key: string) => void) {
  const [point, setPoint] = useState<{ x: number; y: number }>()
  const opener = useRef<HTMLElement>(null)
  const onContextMenu = (event: React.MouseEvent<HTMLElement>) => {
    event.preventDefault()
    opener.current = event.currentTarget
    setPoint({ x: event.clientX, y: event.clientY })
  }
  const close = () => setPoint(undefined)
  const menu = point && (
    <MenuList
      label={label}
      entries={entries()}
      anchor={() => ({ left: point.x, right: point.x, top: point.y, bottom: point.y })}
      opener={opener}
      onPick={(key) => {
        close()
        onPick(key)
      }}
      onClose={close}
    />
  )
  return { onContextMenu, menu }
}
