/** /device/log: logs of robots, of their tablets, ROS bags and navigation logs; each is sent up when somebody asks for it. */
import { Button } from 'antd'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Segment, Segments } from '@/shared/controls/segments'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { DevicePicker } from '@/widgets/form/device-picker'
import { Problem } from '@/widgets/form/field'
import { Days } from '@/widgets/list/days'
import { choice, date, filters, number, useFilters } from '@/widgets/list/filters'
import { ListView } from '@/widgets/list/list-view'
import { usePagedList } from '@/widgets/list/use-paged-list'
import { ClearDialog } from './clear-dialog'
import { faultOfStart, OLDEST } from './days'
import { LIVE_KINDS, useLiveAddress } from './live/address'
import { LogActions } from './log-actions'
import { COLUMNS } from './log-columns'
import { usePlayerAddress } from './player/address'
import { RecordingDialog } from './recording-dialog'
import { Recordings } from './recordings'
import { KIND_WORDS, KINDS, type Kind, type LogRow } from './rows'

const LiveDialog = lazy(() => import('./live/live-dialog').then((module) => ({ default: module.LiveDialog })))

const PAGE = 30
const FILTERS = filters({
  device: number((deviceId) => ({ deviceId })),
  from: date((startDate) => (faultOfStart(startDate) ? {} : { startDate })),
  to: date((endDate) => ({ endDate })),
})
const ROBOT = filters({ device: number() })
const KIND = filters({ kind: choice(KINDS) })

export function LogsScreen() {
  const { t } = useTranslation('devicelog')
  const [params, setParams] = useSearchParams()
  const kind = KIND.read(params).kind ?? 'device'
  const player = usePlayerAddress()
  const live = useLiveAddress()
  const [clearing, setClearing] = useState(false)
  const choose = (next: Kind) => {
    const { device } = ROBOT.read(params)
    setParams(KIND.write({ kind: next === 'device' ? undefined : next }, ROBOT.write({ device })), { replace: true })
  }
  const head = (
    <Segments label={t('kind')}>
      {KINDS.map((each) => (
        <Segment key={each} on={each === kind} onChoose={() => choose(each)}>
          {t(KIND_WORDS[each])}
        </Segment>
      ))}
    </Segments>
  )
  const tools = (
    <>
      <Button
        onClick={() => live.show(ROBOT.read(params).device, LIVE_KINDS.find((each) => each === kind) ?? 'device')}
      >
        {t('live-log')}
      </Button>
      <Button onClick={() => setClearing(true)}>{t('delete-before')}</Button>
    </>
  )
  const props = { kind, head, tools }
  return (
    <Page>
      {kind === 'rosbag' ? (
        <Recordings head={head} tools={tools} />
      ) : kind === 'navlog' ? (
        <NavigationLogs {...props} kind={kind} />
      ) : (
        <Logs key={kind} {...props} kind={kind} />
      )}
      {player.recording !== undefined && <RecordingDialog id={player.recording} onClose={player.close} />}
      {live.isOpen && (
        <Suspense fallback={null}>
          <LiveDialog />
        </Suspense>
      )}
      {clearing && <ClearDialog kind={kind} onClose={() => setClearing(false)} />}
    </Page>
  )
}

interface Props<K extends Kind> {
  kind: K
  head: ReactNode
  tools: ReactNode
}

function useListProps(kind: Kind) {
  const { t } = useTranslation('devicelog')
  return {
    name: 'deviceLog',
    texts: 'devicelog',
    label: t(KIND_WORDS[kind]),
    columns: COLUMNS,
    idOf: ({ id }: LogRow) => id,
    actions: (row: LogRow) => <LogActions row={row} />,
  } as const
}

/** Of all robots, or of one. */
function Logs({ kind, head, tools }: Props<'device' | 'pad'>) {
  const { t } = useTranslation('devicelog')
  const path = kind === 'pad' ? '/deviceLog/listPad' : '/deviceLog/list'
  const { values, change, list } = usePagedList(path, FILTERS, { size: PAGE })
  const fault = faultOfStart(values.from)
  return (
    <ListView<LogRow>
      {...useListProps(kind)}
      {...list}
      empty={<Nothing why={t('no-logs')} />}
      tools={tools}
      search={
        <>
          {head}
          <DevicePicker
            value={values.device}
            label={t('common:robot')}
            placeholder={t('every-robot')}
            onChange={(device) => change({ device })}
          />
          <Days {...values} oldest={OLDEST} onChange={change} />
          <Problem text={fault && t(fault)} />
        </>
      }
    />
  )
}

/** Of the robot that is chosen. */
function NavigationLogs({ kind, head, tools }: Props<'navlog'>) {
  const { t } = useTranslation('devicelog')
  const { values, change } = useFilters(ROBOT)
  const robot = useCall(
    '/device/selectDeviceByDeviceId',
    { deviceId: values.device ?? 0 },
    { enabled: values.device !== undefined },
  )
  const deviceSerialNumber = robot.data?.deviceSerialNumber ?? ''
  const files = useCall('/deviceLog/navlogList', { deviceSerialNumber }, { enabled: deviceSerialNumber !== '' })
  const none = values.device === undefined
  return (
    <ListView<LogRow>
      {...useListProps(kind)}
      query={
        none ? { ...files, data: { list: [] }, isPending: false } : { ...files, error: files.error ?? robot.error }
      }
      empty={<Nothing why={t(none ? 'choose-robot-first' : 'no-logs')} />}
      tools={tools}
      search={
        <>
          {head}
          <DevicePicker
            value={values.device}
            label={t('common:robot')}
            placeholder={t('choose-robot')}
            onChange={(device) => change({ device })}
          />
        </>
      }
    />
  )
}
