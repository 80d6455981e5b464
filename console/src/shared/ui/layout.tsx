/**
 * How things stand beside and below each other, and how words look: what a screen says in its markup instead of in a style
 * sheet of its own. Distances, letters and tones are those of tokens.ts. A class of the screen wins over all of it.
 */
import type { ElementType, JSX, ReactNode } from 'react'
import type { SPACE, TYPE } from '../theme/tokens'
import styles from './layout.module.css'

type Space = keyof typeof SPACE

interface Around {
  /** Free room before and after it, in the direction of the page. */
  above?: Space
  below?: Space
  className?: string | undefined
}

type As<Tag extends keyof JSX.IntrinsicElements, Own> = { as?: Tag } & Own & Omit<JSX.IntrinsicElements[Tag], keyof Own>

const classes = (names: (string | false | undefined)[], own: string | undefined) =>
  [...names.map((name) => name && styles[name]), own].filter(Boolean).join(' ')

const around = ({ above, below }: Around) => [above && `above-${above}`, below && `below-${below}`]

interface RowProps extends Around {
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
  /** At the end of the row that it stands in. */
  end?: boolean
}

/** Things beside each other (`stack`: below each other). */
export function Row<Tag extends keyof JSX.IntrinsicElements = 'div'>(props: As<Tag, RowProps>) {
  const { as, stack, inline, wrap, gap, lines, align, justify, end, above, below, className, ...rest } = props as As<
    'div',
    RowProps
  >
  const Element = (as ?? 'div') as ElementType
  const names = [
    inline ? 'inline' : 'row',
    stack && 'stack',
    wrap && 'wrap',
    gap && `gap-${gap}`,
    lines && `lines-${lines}`,
    align && `align-${align}`,
    justify && `justify-${justify}`,
    end && 'at-end',
    ...around({ ...(above && { above }), ...(below && { below }) }),
  ]
  return <Element {...rest} className={classes(names, className)} />
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

interface TextProps extends Around {
  size?: keyof typeof TYPE
  /** `quiet` and `soft` say less; the others are the colours of their states. */
  tone?: 'quiet' | 'soft' | 'primary' | 'help' | 'paused'
  strong?: boolean
  /** One line, cut off with an ellipsis. */
  cut?: boolean
}

/** Words, a paragraph unless it says otherwise; without the room that a browser puts round them. */
export function Text<Tag extends keyof JSX.IntrinsicElements = 'p'>(props: As<Tag, TextProps>) {
  const { as, size, tone, strong, cut, above, below, className, ...rest } = props as As<'p', TextProps>
  const Element = (as ?? 'p') as ElementType
  const names = [
    'text',
    size && `size-${size}`,
    tone,
    strong !== undefined && (strong ? 'strong' : 'plain'),
    cut && 'cut',
    ...around({ ...(above && { above }), ...(below && { below }) }),
  ]
  return <Element {...rest} className={classes(names, className)} />
}
