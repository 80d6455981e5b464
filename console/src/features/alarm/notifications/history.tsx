/** Who was notified of an alarm, by which channel, and what came of it. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Tag } from '@/shared/marks/tag'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Fact, Facts } from '@/shared/ui/facts'
import { Row, Text } from '@/shared/ui/layout'
import { QueryView } from '@/shared/ui/query-view'
import { CHANNELS } from './channels'

type NotificationRow = Answer<'/warn/listNotifications'>['list'][number]

const STATES = {
  sent: { word: 'notification-sent', tone: 'cleaning' },
  held: { word: 'notification-held', tone: 'paused' },
  waiting: { word: 'notification-waiting', tone: 'paused' },
  failed: { word: 'notification-failed', tone: 'help' },
} as const

export function NotificationHistory({ warnId }: { warnId: number }) {
  const { t } = useTranslation('alarm')
  const history = useCall('/warn/listNotifications', { warnId })
  return (
    <Row stack gap="s">
      <b>{t('notifications')}</b>
      <QueryView query={history}>
        {({ list }) =>
          list.length > 0 ? (
            <Facts>
              {list.map((row) => (
                <Fact key={row.id} name={<Who row={row} />}>
                  <Outcome row={row} />
                </Fact>
              ))}
            </Facts>
          ) : (
            <Text tone="quiet">{t('nobody-notified')}</Text>
          )
        }
      </QueryView>
    </Row>
  )
}

function Who({ row: { channel, name, target } }: { row: NotificationRow }) {
  const { t } = useTranslation('common')
  return (
    <>
      {t(CHANNELS[channel])}
      {name && (
        <>
          {' · '}
          <bdi>{name}</bdi>
        </>
      )}
      {target && (
        <>
          {' · '}
          <bdi dir="ltr">{target}</bdi>
        </>
      )}
    </>
  )
}

function Outcome({ row: { state, step, sentTime, nextTime, reasonText } }: { row: NotificationRow }) {
  const { t } = useTranslation('alarm')
  const { exact } = useFormats()
  const { word, tone } = STATES[state]
  const next = nextTime && t(state === 'held' ? 'until' : 'next-attempt', { time: exact(Date.parse(nextTime)) })
  const details = [sentTime && exact(Date.parse(sentTime)), reasonText, next].filter(Boolean)
  return (
    <Row as="span" inline wrap gap="s">
      <Tag tone={tone}>{t(word)}</Tag>
      {step > 0 && <Tag tone="help">{t('notification-escalated')}</Tag>}
      {details.join(' · ')}
    </Row>
  )
}
