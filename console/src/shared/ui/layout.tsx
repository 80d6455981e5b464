/**
 * How things stand beside and below each other, and how words look: what a screen says in its markup instead of in a style
 * sheet of its own. Distances, letters and tones are those of tokens.ts. A class of the screen wins over all of it.
 */
import { type CSSProperties, type ElementType, type JSX, type ReactNode, useLayoutEffect, useRef } from 'react'
import type { Role, SPACE, TYPE } from '../theme/tokens'
import styles from './layout.module.css'

type Space = keyof typeof SPACE

const TONE = {
  ...{ quiet: 'text-2', soft: 'text-3', primary: 'primary', idle: 'state-idle', offline: 'state-offline' },
  ...{ cleaning: 'state-cleaning', moving: 'state-moving', help: 'state-help', paused: 'state-paused' },
} as const satisfies Record<string, Role>

type Tone = keyof typeof TONE

interface TextProps {
  size?: keyof typeof TYPE
  /** `quiet` and `soft` say less; the others are the colours of their states. */
  tone?: Tone | undefined
  strong?: boolean
  /** One line, cut off with an ellipsis. */
  cut?: boolean
  /** Free room before and after it, in the direction of the page. */
  above?: Space
  below?: Space
  /** Takes the room that its row has left; `end`: stands at the end of it. */
  grow?: boolean
  end?: boolean
  /** Room inside: all round, or in the direction of the page and of the line. */
  pad?: Space | `${Space} ${Space}`
  /** A box of its own: a border, no shadow. */
  surface?: boolean
  /** A line before it, after it, or between what it holds. */
  rule?: 'above' | 'below' | 'between'
  className?: string | undefined
  style?: CSSProperties | undefined
}

interface RowProps extends TextProps {
  /** Below each other instead of beside. */
  stack?: boolean
  /** Within words. */
  inline?: boolean
  wrap?: boolean
  gap?: Space
  /** Between lines, where it differs from the room within one. */
  lines?: Space | 'none'
  align?: 'start' | 'center' | 'end' | 'baseline'
  justify?: 'center' | 'between' | 'end'
}

type As<Tag extends keyof JSX.IntrinsicElements, Own> = { as?: Tag } & Own & Omit<JSX.IntrinsicElements[Tag], keyof Own>

const room = (spaces: string | undefined) => spaces?.replace(/[a-z]+/g, (name) => `var(--space-${name})`)

/** Classes by name where the value is set; a class reads its value from the variable of the same name. */
function attributes(kind: 'row' | 'inline' | 'columns' | 'text', props: RowProps) {
  const { size, tone, strong, cut, above, below, grow, end, pad, surface, rule, className, style, ...others } = props
  const { stack, wrap, gap, lines, align, justify, ...rest } = others
  const flags = {
    [kind]: true,
    [`rule-${rule}`]: rule,
    ...{ stack, wrap, grow, end, surface, cut, strong, plain: strong === false },
  }
  const values = {
    size: size && `var(--size-${size})`,
    line: size && `var(--line-${size})`,
    tone: tone && `var(--${TONE[tone]})`,
    lines: lines === 'none' ? '0' : room(lines),
    justify: justify === 'between' ? 'space-between' : justify,
    ...{ align, gap: room(gap), pad: room(pad), above: room(above), below: room(below) },
  }
  const set = Object.entries(values).filter(([, value]) => value !== undefined)
  const names = Object.entries(flags).filter(([, on]) => on)
  return {
    ...rest,
    className: [...[...names, ...set].map(([name]) => styles[name]), className].filter(Boolean).join(' '),
    style: { ...Object.fromEntries(set.map(([name, value]) => [`--${name}`, value])), ...style },
  }
}

/** Things beside each other (`stack`: below each other). */
export function Row<Tag extends keyof JSX.IntrinsicElements = 'div'>(props: As<Tag, RowProps>) {
  const { as: Element = 'div', inline, ...own } = props as { as?: ElementType } & RowProps
  return <Element {...attributes(inline ? 'inline' : 'row', own)} />
}

/** Fields in two columns, in one on a phone; what says `data-wide` takes both. */
export const Columns = (props: As<'div', RowProps>) => <div {...attributes('columns', props)} />

/** Words, a paragraph unless it says otherwise; without the room that a browser puts round them. */
export function Text<Tag extends keyof JSX.IntrinsicElements = 'p'>(props: As<Tag, TextProps>) {
  const { as: Element = 'p', ...own } = props as { as?: ElementType } & TextProps
  return own.cut ? <Cut as={Element} {...own} /> : <Element {...attributes('text', own)} />
}

/** What may be cut off says the whole of it under the pointer. */
function Cut({ as: Element, ...own }: TextProps & { as: ElementType }) {
  const words = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (words.current) words.current.title = words.current.textContent ?? ''
  })
  return <Element ref={words} {...attributes('text', own)} />
}

/** The head of a list: what narrows it, and at the end what can be done. */
export const Toolbar = ({ end, children, ...own }: { end?: ReactNode } & JSX.IntrinsicElements['search']) => (
  <Row as="search" wrap gap="m" align="center" {...own}>
    {children}
    <Row wrap gap="m" end>
      {end}
    </Row>
  </Row>
)
