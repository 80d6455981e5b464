/** The state marks: the silhouette says the state, colour only repeats it. The word stands beside it, or is the label. */
import type { ReactNode } from 'react'
import type { Mode } from '../live/frames'
import { MODE_TONE, type Moded, useModeWord } from './mode'
import styles from './state-mark.module.css'
import { Tag } from './tag'

const disc = <circle cx="12" cy="12" r="11" fill="currentColor" />

const SHAPES: Record<Mode | 'done' | 'warning', ReactNode> = {
  cleaning: (
    <>
      {disc}
      <path d="M7 8h8.2a2 2 0 0 1 0 4H8.8a2 2 0 0 0 0 4H17" className={styles.line} strokeWidth="2" />
    </>
  ),
  moving: (
    <>
      {disc}
      <path d="M7 12h9M12.5 8l4 4-4 4" className={styles.line} strokeWidth="2" />
    </>
  ),
  riding: (
    <>
      <rect x="2.5" y="1" width="19" height="22" rx="4" fill="currentColor" />
      <path d="M8.2 10.5l3.8-4 3.8 4M8.2 14l3.8 4 3.8-4" className={styles.line} strokeWidth="2" />
    </>
  ),
  charging: (
    <>
      <rect x="1.5" y="1.5" width="21" height="21" rx="6" fill="currentColor" />
      <path d="M13 4.8L7.6 13h3.9l-.6 6.2L16.4 11h-4z" className={styles.fill} />
    </>
  ),
  idle: (
    <>
      <circle cx="12" cy="12" r="9.6" fill="none" stroke="currentColor" strokeWidth="2.6" />
      <circle cx="12" cy="12" r="2.6" fill="currentColor" />
    </>
  ),
  paused: (
    <>
      {disc}
      <path d="M9.3 7.8v8.4M14.7 7.8v8.4" className={styles.line} strokeWidth="2.6" />
    </>
  ),
  emergency: (
    <>
      <path d="M7.4 1h9.2L23 7.4v9.2L16.6 23H7.4L1 16.6V7.4z" fill="currentColor" />
      <path d="M9.3 7.8v8.4M14.7 7.8v8.4" className={styles.line} strokeWidth="2.6" />
    </>
  ),
  help: (
    <>
      <path d="M10.3 2.2a2 2 0 0 1 3.4 0l9.2 17.4a2 2 0 0 1-1.8 3H2.9a2 2 0 0 1-1.8-3z" fill="currentColor" />
      <path d="M12 8.6v6" className={styles.line} strokeWidth="2.4" />
      <circle cx="12" cy="18.4" r="1.5" className={styles.fill} />
    </>
  ),
  manual: (
    <>
      <path d="M12 .6L23.4 12 12 23.4.6 12z" fill="currentColor" />
      <path d="M12 8.2v7.6M8.2 12h7.6" className={styles.line} strokeWidth="2.2" />
    </>
  ),
  offline: (
    <>
      <circle cx="12" cy="12" r="9.8" fill="none" stroke="currentColor" strokeWidth="2.2" strokeDasharray="3.4 2.8" />
      <path d="M7.5 16.5l9-9" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round" />
    </>
  ),
  done: (
    <>
      {disc}
      <path d="M7.4 12.4l3.2 3.2 6-6.6" className={styles.line} strokeWidth="2.3" />
    </>
  ),
  warning: (
    <>
      {disc}
      <path d="M12 6.6v6.6M12 17.2v.1" className={styles.line} strokeWidth="2.6" />
    </>
  ),
}

const TONES = { ...MODE_TONE, done: 'cleaning', warning: 'paused' } as const

interface Props {
  state: Mode | 'done' | 'warning'
  size?: number
  /** Given where the mark stands without its word. */
  label?: string
}

export function StateMark({ state, size = 18, label }: Props) {
  const mark = (
    <svg
      aria-hidden="true"
      className={styles.mark}
      style={{ color: `var(--state-${TONES[state]})` }}
      width={size}
      height={size}
      viewBox="0 0 24 24"
    >
      {SHAPES[state]}
    </svg>
  )
  if (label === undefined) return mark
  return (
    <span role="img" aria-label={label} title={label} className={styles.named}>
      {mark}
    </span>
  )
}

/** Mark and word on the state's own tint. */
export function StateTag({ row }: { row: Moded }) {
  const word = useModeWord()
  return (
    <Tag tone={MODE_TONE[row.mode]}>
      <StateMark state={row.mode} size={14} />
      <bdi>{word(row)}</bdi>
    </Tag>
  )
}
