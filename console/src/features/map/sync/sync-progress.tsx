/** How far each robot is with a map that was sent to it: its newest sync. */
import { IconPlayerStop, IconRefresh } from '@tabler/icons-react'
import { useTranslation } from '@/shared/i18n/text'
import { LaneProgress } from '@/shared/marks/lanes'
import { StateMark } from '@/shared/marks/state-mark'
import type { Answer } from '@/shared/rpc/contract'
import { useCall, useSend } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { QueryView } from '@/shared/ui/query-view'
import { LineAction } from '@/widgets/list/line-action'
import { refusalKey } from '@/widgets/refusal-text'
import styles from './sync.module.css'

type RobotRow = Answer<'/map/selectSync'>['list'][number]

const OPEN: readonly RobotRow['state'][] = ['waiting', 'sending', 'sent']
/** Shape and word of each state; the words are the glossary's where it has them. */
const STATES = {
  waiting: ['idle', 'waiting'],
  sending: ['moving', 'sending'],
  sent: ['paused', 'map-send-success'],
  received: ['done', 'map-receive-success'],
  send_failed: ['warning', 'map-send-failure'],
  receive_failed: ['warning', 'map-receive-failure'],
  cancelled: ['offline', 'cancelled'],
} as const

/** The newest of each robot; the list comes newest first. */
export const newest = (rows: readonly RobotRow[]) =>
  rows.filter((row, i) => rows.findIndex((other) => other.deviceId === row.deviceId) === i)

export function SyncProgress({ mapId }: { mapId: number }) {
  const { t } = useTranslation('sync')
  const syncs = useCall('/map/selectSync', { mapId })
  return (
    <section className={styles.progress} aria-label={t('progress')}>
      <h3>{t('progress')}</h3>
      <QueryView
        query={syncs}
        isEmpty={({ list }) => list.length === 0}
        empty={
          <Text size="small" tone="soft" below="l">
            {t('nothing-sent')}
          </Text>
        }
      >
        {({ list }) => (
          <ul>
            {newest(list).map((row) => (
              <Line key={row.deviceId} row={row} />
            ))}
          </ul>
        )}
      </QueryView>
    </section>
  )
}

function Line({ row }: { row: RobotRow }) {
  const { t } = useTranslation('sync')
  const { t: robots } = useTranslation('robot')
  const retry = useSend('/map/retrySync', { action: t('retry') })
  const cancel = useSend('/map/cancelSync', { action: t('cancel') })
  const [shape, word] = STATES[row.state]
  const away = row.state === 'waiting' && !row.online
  const waits = row.state === 'sent' && row.reason === 'map.task_running' // nobody need do anything
  const why = row.reason && !waits && refusalKey({ reason: row.reason, message: row.reason })
  const of = { syncId: row.syncId, deviceId: row.deviceId }
  const replace = row.reason === 'sync_conflict'
  return (
    <li>
      <span className={styles.robot}>
        <bdi>{row.deviceCode}</bdi>
        <small>{t('revision', { revision: row.revision })}</small>
      </span>
      <Row as="span" inline wrap gap="s" lines="xxs" align="center">
        <StateMark state={away ? 'offline' : shape} size={15} />
        {away ? t('waiting-offline') : t(word)}
        {waits && <small>{t('waits-for-task')}</small>}
        {why && !away && <small>{robots(why)}</small>}
        {row.state === 'sending' && <LaneProgress ratio={row.have / row.size} label={row.deviceCode} width={120} />}
      </Row>
      <span className={styles.actions}>
        {OPEN.includes(row.state) ? (
          <LineAction
            icon={IconPlayerStop}
            label={t('cancel')}
            name={row.deviceCode}
            onClick={() => cancel.mutate(of)}
          />
        ) : (
          row.state !== 'received' && (
            <LineAction
              icon={IconRefresh}
              label={replace ? t('again-replace') : t('retry')}
              name={row.deviceCode}
              danger={replace}
              onClick={() => retry.mutate({ ...of, replace })}
            />
          )
        )}
      </span>
    </li>
  )
}
