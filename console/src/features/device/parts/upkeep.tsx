/** How far hours have come, and what was done so far: said by number and word, the bar only draws it. */
import { IconAlertTriangle, IconCircleCheck, IconClockExclamation, IconMinus } from '@tabler/icons-react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { Row } from '@/shared/ui/layout'
import styles from './upkeep.module.css'

type Done = Answer<'/maintain/findMaintainBySn'>['done'][number]
type State = Answer<'/maintain/findMaintainBySn'>['list'][number]['state']

const MARKS = { unset: IconMinus, good: IconCircleCheck, soon: IconClockExclamation, due: IconAlertTriangle } as const

export function Hours({ used, hours, state }: { used: number; hours: number | null; state: State }) {
  const { t } = useTranslation('upkeep')
  const { number, percent } = useFormats()
  const Mark = MARKS[state]
  const part = hours === null ? 0 : used / hours
  const worked = number(used, 1)
  const text =
    hours === null ? t('hours-worked', { used: worked }) : t('hours-of', { used: worked, hours: number(hours, 1) })
  return (
    <Row stack gap="xs" className={styles.hours} data-state={state}>
      <span className={styles.bar} aria-hidden>
        <span style={{ inlineSize: `${Math.min(1, part) * 100}%` }} />
      </span>
      <Row as="span" wrap gap="m" lines="none" justify="between" className={styles.worked}>
        <Row as="span" inline gap="xs" align="center" className={styles.state}>
          <Mark size={15} stroke={1.75} aria-hidden />
          {t(`state-${state}`)}
        </Row>
        <span>{hours === null ? text : `${text} · ${percent(part)}`}</span>
      </Row>
    </Row>
  )
}

export function DoneSoFar({ done, named }: { done: readonly Done[]; named(name: string): string }) {
  const { t } = useTranslation('upkeep')
  const { dateTime, number } = useFormats()
  if (done.length === 0) return null
  return (
    <details className={styles.done}>
      <summary>{t('done-so-far')}</summary>
      <ul>
        {done.map((work) => (
          <li key={`${work.name} ${work.time}`}>
            <bdi>{named(work.name)}</bdi>
            <span>{t('hours-worked', { used: number(work.used, 1) })}</span>
            <span>
              {dateTime(Date.parse(work.time))} · <bdi>{work.by}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
