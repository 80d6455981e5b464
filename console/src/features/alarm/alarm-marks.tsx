/** The words of an alarm with their shapes: what it is, how grave, and where it stands. */
import { IconBellZ } from '@tabler/icons-react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { StateMark } from '@/shared/marks/state-mark'
import { Tag } from '@/shared/marks/tag'
import { Text } from '@/shared/ui/layout'
import { LEVEL_WORDS } from '@/widgets/alarm/levels'
import { ALARM, RESOLVED, STATE_WORDS, TYPE_WORDS } from './rows'

interface Marked {
  readonly type: number
  readonly level: number
  readonly state: number
  readonly takenBy: string
  readonly snoozedUntil: string | null
}

const UNKNOWN = 0

/** A triangle: an alarm; a disc: a notice; a tick: resolved. */
export const markOf = ({ type, state }: Pick<Marked, 'type' | 'state'>) =>
  state === RESOLVED ? 'done' : type === ALARM ? 'help' : 'warning'

export function Kind({ row }: { row: Marked }) {
  const { t } = useTranslation('common')
  return (
    <Text as="span" tone={row.state === RESOLVED ? 'soft' : row.type === ALARM ? 'help' : 'paused'}>
      {t(TYPE_WORDS[row.type] ?? 'alarm')} · {t(LEVEL_WORDS[row.level] ?? 'level-info')}
    </Text>
  )
}

/** Where it stands; of an open one, who is on it, or until when it is put off. */
export function State({ row }: { row: Marked }) {
  const { t } = useTranslation('alarm')
  const { dateTime } = useFormats()
  if (row.takenBy && row.state !== RESOLVED)
    return (
      <Tag tone="moving">
        <bdi>{t('is-on-it', { name: row.takenBy })}</bdi>
      </Tag>
    )
  if (row.snoozedUntil && row.state !== RESOLVED)
    return (
      <Tag tone="paused">
        <IconBellZ size={14} role="img" aria-label={t('snoozed')} />
        {t('until', { time: dateTime(Date.parse(row.snoozedUntil)) })}
      </Tag>
    )
  const tone = row.state === RESOLVED ? 'cleaning' : row.state === UNKNOWN ? 'idle' : 'help'
  return (
    <Tag tone={tone}>
      <StateMark state={row.state === RESOLVED ? 'done' : row.state === UNKNOWN ? 'idle' : 'help'} size={14} />
      {t(`common:${STATE_WORDS[row.state] ?? 'alarm-unknown'}`)}
    </Tag>
  )
}
