/** The command palette: go to a page, a robot or a map, or do what the page offers, with the keyboard alone. */
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Keys } from '@/widgets/actions/keys'
import { type Entry, type Group, useGroups } from './entries'
import styles from './palette.module.css'

interface Props {
  onClose(): void
}

export function Palette({ onClose }: Props) {
  const { t } = useTranslation('palette')
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const groups = useGroups(typed)
  const entries = groups.flatMap((group) => group.entries)
  const current = entries[Math.min(at, entries.length - 1)]
  const choose = (entry: Entry) => {
    onClose()
    entry.run()
  }
  const press = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }
    const step = steps[event.key]
    if (step !== undefined) setAt((step + entries.length) % Math.max(1, entries.length))
    else if (event.key === 'Enter' && current) choose(current)
    else return
    event.preventDefault()
  }
  return (
    <Box label={t('palette')} onClose={onClose}>
      <label className={styles.search}>
        <IconSearch size={18} stroke={1.75} aria-hidden="true" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-label={t('palette')}
          aria-activedescendant={current && `${id}-${entries.indexOf(current)}`}
          placeholder={t('palette-how')}
          autoComplete="off"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setAt(0)
          }}
          onKeyDown={press}
        />
      </label>
      <div id={id} role="listbox" aria-label={t('palette')} className={styles.list}>
        {groups.map((group) => (
          <Section
            key={group.name}
            group={group}
            id={id}
            first={group.entries[0] ? entries.indexOf(group.entries[0]) : -1}
            current={current}
            onChoose={choose}
          />
        ))}
      </div>
      {entries.length === 0 && (
        <p role="status" className={styles.none}>
          {t('empty-search')}
        </p>
      )}
    </Box>
  )
}

interface SectionProps {
  group: Group
  id: string
  /** The place of its first entry among all. */
  first: number
  current: Entry | undefined
  onChoose(entry: Entry): void
}

function Section({ group, id, first, current, onChoose }: SectionProps) {
  const { t } = useTranslation('palette')
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options, not of controls
    <div role="group" aria-label={t(`group-${group.name}`)}>
      <p className={styles.heading} aria-hidden="true">
        {t(`group-${group.name}`)}
      </p>
      {group.entries.map((entry, nth) => (
        <Option key={entry.id} id={`${id}-${first + nth}`} entry={entry} on={entry === current} onChoose={onChoose} />
      ))}
    </div>
  )
}

interface OptionProps {
  id: string
  entry: Entry
  on: boolean
  onChoose(entry: Entry): void
}

function Option({ id, entry, on, onChoose }: OptionProps) {
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (on) line.current?.scrollIntoView?.({ block: 'nearest' })
  }, [on])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are those of the field that owns it
    <div
      ref={line}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={on}
      className={styles.option}
      onClick={() => onChoose(entry)}
    >
      <bdi>{entry.label}</bdi>
      {entry.detail && <bdi className={styles.detail}>{entry.detail}</bdi>}
      {entry.keys && <Keys chord={entry.keys} />}
    </div>
  )
}

interface BoxProps {
  label: string
  onClose(): void
  children: React.ReactNode
}

/** The browser's own dialog: it keeps the focus inside, and gives it back. */
export function Box({ label, onClose, children }: BoxProps) {
  const box = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = box.current
    if (element && !element.open) element.showModal()
    return () => element?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by the browser's own dialog
    <dialog
      ref={box}
      className={styles.palette}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault() // who shows it takes it away
        onClose()
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      {children}
    </dialog>
  )
}
