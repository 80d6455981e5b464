/** An article's text. Markdown alone: HTML in it stands there as it was typed, and links lead out in a tab of their own. */
import Markdown from 'markdown-to-jsx'
import type { ComponentProps } from 'react'
import styles from './article.module.css'

const OutLink = ({ children, ...rest }: ComponentProps<'a'>) => (
  <a {...rest} target="_blank" rel="noreferrer noopener">
    {children}
  </a>
)

const heading = (Tag: 'h3' | 'h4' | 'h5') => (props: ComponentProps<'h3'>) => <Tag {...props} />

const OPTIONS = {
  disableParsingRawHTML: true,
  forceBlock: true,
  // The article's title is the page's h2.
  overrides: { a: OutLink, h1: heading('h3'), h2: heading('h4'), h3: heading('h5') },
} as const

export const Prose = ({ text }: { text: string }) => (
  <div className={styles.prose} dir="auto">
    <Markdown options={OPTIONS}>{text}</Markdown>
  </div>
)
