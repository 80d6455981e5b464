/** How far robots are with what they shall show or follow: how many do, each with its state, and once more where it failed. */

import { IconRefresh } from '@tabler/icons-react'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { Segment, Segments } from '@/shared/controls/segments'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { keysOf } from '@/shared/keys'
import { LaneProgress } from '@/shared/marks/lanes'
import { StateMark } from '@/shared/marks/state-mark'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { Problem } from '../form/field'
import { useAction } from '../form/use-action'
import type { Column } from '../list/columns'
import { LineAction } from '../list/line-action'
import { ShortList } from '../list/short-list'
import { Why } from '../why'

type Delivery = Answer<'/user/selectPadDeliveryPageList'>['list'][number] &
  Partial<Pick<Answer<'/configure/selectDeliveryPageList'>['list'][number], 'refusedKey' | 'unknownKeys'>>
type State = Delivery['state']

const SIZE = 10
/** The list, and what sends once more. */
const CALLS = {
  look: ['/user/selectPadDeliveryPageList', '/user/sendPadConfig'],
  adverts: ['/device/selectAdvertDeliveryPageList', '/device/sendAdverts'],
  parameters: ['/configure/selectDeliveryPageList', '/configure/send'],
} as const
/** Shape and word of each. */
const DISPLAY = {
  waiting: ['paused', 'robot-waiting'],
  sent: ['moving', 'robot-sent'],
  shown: ['done', 'robot-shown'],
  failed: ['warning', 'common:failed'],
} as const
const IN_FORCE = { ...DISPLAY, sent: ['moving', 'robot-working'], shown: ['done', 'robot-in-force'] } as const
const SHOWS = { states: DISPLAY, since: 'tablet:shown-since', count: 'shown-on' } as const
const WORDS = {
  look: SHOWS,
  adverts: SHOWS,
  parameters: { states: IN_FORCE, since: 'tablet:in-force-since', count: 'in-force-on' },
} as const
type Words = (typeof WORDS)[keyof typeof WORDS]
const NAMES = keysOf(DISPLAY)

const columnsOf = ({ states, since }: Words): readonly Column<Delivery>[] => [
  { key: 'deviceCode', label: 'common:robot', heading: true },
  { key: 'deviceSerialNumber', label: 'common:serial-number', ltr: true },
  {
    key: 'state',
    label: 'tablet:state',
    value: ({ state }, { t }) => t(states[state][1]),
    cell: (row) => <DeliveryState row={row} states={states} />,
  },
  {
    key: 'shownTime',
    label: since,
    cell: ({ shownTime }, { dateTime }) => (shownTime ? dateTime(Date.parse(shownTime)) : ''),
  },
]

function DeliveryState({ row, states }: { row: Delivery; states: Words['states'] }) {
  const { t } = useTranslation('tablet')
  const { list } = useFormats()
  const { refusedKey = '', unknownKeys = [] } = row
  const [shape, word] = states[row.state]
  return (
    <Row as="span" inline wrap gap="s" lines="xxs" align="center">
      <StateMark state={shape} size={15} />
      {t(word)}
      {refusedKey && <small>{t('refused-value', { key: refusedKey })}</small>}
      <Why reason={row.reason} />
      {unknownKeys.length > 0 && <small>{t('not-known', { keys: list(unknownKeys) })}</small>}
    </Row>
  )
}

interface Props {
  readonly of: keyof typeof CALLS
  readonly none?: ReactNode
  /** Whether it stands on a page by itself, not within something. */
  readonly panel?: boolean
}

export function Deliveries({ of, none = null, panel = false }: Props) {
  const { t } = useTranslation('tablet')
  const { number } = useFormats()
  const [page, setPage] = useState(1)
  const [state, setState] = useState<State>()
  const [path, send] = CALLS[of]
  const { states, count } = WORDS[of]
  const query = useCall(path, { currentPage: page, pageSize: SIZE, state: state ?? null }, { keep: true })
  const all = useAction(send, t('send-again'))
  const single = useAction(send, t('send-again'))
  const counts = query.data?.counts
  const total = counts ? NAMES.reduce((sum, name) => sum + counts[name], 0) : 0
  const choose = (name?: State) => {
    setState(name)
    setPage(1)
  }
  if (!counts || total === 0) return none
  const content = (
    <Row as="section" stack gap="s" {...(panel ? { pad: 'l' } : { above: 'xl' })} aria-label={t('on-robots')}>
      <Row wrap gap="m" align="center">
        <Text as="h3" strong>
          {t(count, { count: total, shown: number(counts.shown), total: number(total) })}
        </Text>
        <Row grow>
          <LaneProgress ratio={counts.shown / total} label={t('on-robots')} />
        </Row>
        {counts.failed > 0 && (
          <Button size="small" loading={all.busy} onClick={() => void all.run({}, () => undefined)}>
            {t('send-again')}
          </Button>
        )}
      </Row>
      <Segments label={t('state')}>
        <Segment on={!state} onChoose={() => choose()}>
          {t('all-robots')}
        </Segment>
        {NAMES.map((name) => (
          <Segment key={name} on={state === name} onChoose={() => choose(name)}>
            {t(states[name][1])} {number(counts[name])}
          </Segment>
        ))}
      </Segments>
      <ShortList<Delivery>
        texts="tablet"
        label={t('on-robots')}
        columns={columnsOf(WORDS[of])}
        query={query}
        idOf={({ deviceId }) => deviceId}
        paging={{ page, size: SIZE, onPage: setPage }}
        empty={<Text tone="quiet">{t('no-robot-so')}</Text>}
        actions={({ deviceId, deviceCode }) => (
          <LineAction
            icon={IconRefresh}
            label={t('send-again')}
            name={deviceCode}
            onClick={() => void single.run({ deviceId }, () => undefined)}
          />
        )}
      />
      <Problem text={all.problem ?? single.problem} />
    </Row>
  )
  return panel ? <Panel>{content}</Panel> : content
}
