/** Who waits for somebody, where and for how long; beneath, what was raised last. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useNow } from '@/shared/live/live'
import { MODE_TONE } from '@/shared/marks/mode'
import { StateMark } from '@/shared/marks/state-mark'
import type { Answer } from '@/shared/rpc/contract'
import { useSession } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { useCause } from '@/widgets/alarm/cause'
import { RobotButton } from '@/widgets/robot/robot-button'
import styles from './big-screen.module.css'
import { Tile } from './tile'

type Screen = Answer<'/board/bigScreen'>
type RobotNeed = Screen['needs'][number]

const MOST_SHOWN = 4
const AGE_STEP_MS = 15_000
const ALARM = 2 // the type; 1 is a notice

interface Props {
  needs: readonly RobotNeed[]
  events: Screen['events']
  at: number
}

export function NeedsTile({ needs, events, at }: Props) {
  const { t } = useTranslation('wall')
  const { number } = useFormats()
  const hidden = needs.length - MOST_SHOWN
  return (
    <Tile
      className={styles.needs}
      title={t('needs-somebody')}
      at={at}
      alert={needs.length > 0}
      extra={needs.length > 0 && number(needs.length)}
    >
      {needs.length === 0 ? (
        <Text tone="quiet" pad="l panel">
          {t('nobody-waits')}
        </Text>
      ) : (
        <ul aria-label={t('needs-somebody')}>
          {needs.slice(0, MOST_SHOWN).map((need) => (
            <Need key={need.deviceId} need={need} />
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <Text tone="quiet" pad="s panel">
          {t('and-more', { count: hidden })}
        </Text>
      )}
      <Events events={events} />
    </Tile>
  )
}

function Need({ need }: { need: RobotNeed }) {
  const cause = useCause()
  const { span } = useFormats()
  const now = useNow(AGE_STEP_MS)
  const { mode } = need
  const isWall = useSession()?.wall === true
  const mark = <StateMark state={mode} size={26} />
  return (
    <Row as="li" gap="l" align="center" pad="m panel" rule="above" style={{ color: `var(--state-${MODE_TONE[mode]})` }}>
      {isWall ? (
        mark
      ) : (
        <RobotButton deviceId={need.deviceId} label={`${need.deviceCode}: ${cause(need)}`}>
          {mark}
        </RobotButton>
      )}
      <Row stack grow className={styles.fact}>
        <b>{cause(need)}</b>
        <Text tone="quiet" cut>
          <bdi>{need.deviceCode}</bdi>
          {need.site && (
            <>
              {' · '}
              <bdi>{need.site}</bdi>
            </>
          )}
        </Text>
      </Row>
      {need.modeSince !== null && <time className={styles.wait}>{span(now - need.modeSince)}</time>}
    </Row>
  )
}

function Events({ events }: { events: Screen['events'] }) {
  const { t } = useTranslation('wall')
  const { time } = useFormats()
  if (events.length === 0) return null
  return (
    <ol aria-label={t('newest')} className={styles.events}>
      {events.slice(0, 3).map((event) => (
        <Row as="li" key={event.warnId} gap="m" align="center" pad="s panel" rule="above">
          <Text as="time" tone="soft" dateTime={event.time}>
            {time(Date.parse(event.time), event.zone)}
          </Text>
          <StateMark state={event.type === ALARM ? 'help' : 'paused'} size={16} />
          <Text as="span" cut grow>
            {event.content}
          </Text>
          <Text as="bdi" tone="soft" cut>
            {event.deviceCode}
          </Text>
        </Row>
      ))}
    </ol>
  )
}
