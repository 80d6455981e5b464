/** A robot's data in readable groups. What it cannot do, or what belongs to that, is not shown. */
import { Button, Tag } from 'antd'
import { Suspense, useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { currentLanguage } from '@/shared/i18n/i18n'
import { textOr, useTranslation } from '@/shared/i18n/text'
import { Battery } from '@/shared/marks/battery'
import { useModeWord } from '@/shared/marks/mode'
import { COMMANDS } from '@/shared/relay/commands'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { notice } from '@/shared/ui/notice'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { usePlace } from '@/widgets/place'
import { ABILITIES, can, has, type Robot } from '@/widgets/robot/robot'
import { Speed } from '@/widgets/robot/speed'
import { utilityWord } from '@/widgets/robot/utility-word'
import { toMs } from '@/widgets/time'
import { withTexts } from '../actions'
import { FactsPanel } from './facts'

const TabletDialog = withTexts('tablet')(async () => (await import('../tablet/tablet-dialog')).TabletDialog)

interface Props {
  row: Robot
}

export function Live({ row }: Props) {
  const { t } = useTranslation('fleet')
  const { t: robot } = useTranslation('robot')
  const { percent, area, span, exact, list } = useFormats()
  const word = useModeWord()
  const mayView = useMay(COMMANDS.tablet_screen.needs)
  const [opened, setOpened] = useState(false)
  const running = Object.keys(row.utilities).map((id) => {
    const known = utilityWord(id)
    return known ? robot(known) : id
  })
  const lastSeen = row.heartbeatTime
  const here = row.mode !== 'offline'
  const facts = [
    { label: t('device:states'), value: word(row) },
    { label: t('last-heard'), value: lastSeen === null ? t('device:never-connected') : exact(lastSeen) },
    { label: t('battery-level'), value: here && <Battery percent={row.battery} /> },
    ...(can(row, 'disinfect')
      ? [{ label: t('disinfectant'), value: here && row.liquid !== null && percent(row.liquid / 100) }]
      : []),
    { label: t('map'), value: row.mapName },
    { label: t('task'), value: row.taskName },
    { label: t('progress'), value: row.run && percent(row.progress) },
    { label: t('cleaned-area'), value: row.run && area(row.cleaned).text },
    {
      label: t('remaining-time'),
      value: row.mode === 'cleaning' && row.remainingS >= 60 && span(row.remainingS * 1000),
    },
    ...(row.mapping ? [{ label: robot('map-building'), value: `${row.mapping} · ${area(row.mapped).text}` }] : []),
    { label: robot('utilities'), value: here && list(running) },
    { label: t('speed'), value: here && <Speed deviceId={row.deviceId} /> },
  ]
  const tablet = here && mayView && has(row, 'tablet_screen')
  return (
    <FactsPanel title={t('live-state')} facts={facts}>
      {tablet && (
        <Button size="small" onClick={() => setOpened(true)}>
          {t('tablet-screen')}
        </Button>
      )}
      {opened && (
        <Suspense>
          <TabletDialog deviceId={row.deviceId} name={row.deviceCode} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </FactsPanel>
  )
}

export function Identity({ row }: Props) {
  const { t } = useTranslation('fleet')
  const { dateTime } = useFormats()
  const createdAt = toMs(row.createTime)
  const booted = toMs(row.bootTime)
  const abilities = [...new Set<string>([...ABILITIES.filter((ability) => can(row, ability)), ...row.abilities])]
  return (
    <FactsPanel
      title={t('device')}
      facts={[
        { label: t('serial-number'), value: row.deviceSerialNumber, ltr: true },
        { label: t('device-type'), value: row.typeName },
        { label: t('rack-number'), value: row.rackNumber, ltr: true },
        { label: t('protocol-version'), value: row.protocolVersion },
        { label: t('software-version'), value: row.soft_version, ltr: true },
        { label: t('firmware-version'), value: row.firmware_version, ltr: true },
        { label: t('tablet-version'), value: row.pad_version, ltr: true },
        { label: t('asset:hard-disk'), value: row.hardDiskInfo, ltr: true },
        { label: t('asset:device-url'), value: row.deviceUrl, ltr: true },
        { label: t('since-added'), value: createdAt !== null && dateTime(createdAt) },
        { label: t('switched-on'), value: booted !== null && dateTime(booted) },
        { label: t('customer'), value: row.customerName },
        { label: t('asset:customer-address'), value: row.customerAddress },
        {
          label: t('asset:abilities'),
          value: abilities.map((ability) => <Tag key={ability}>{textOr(t, `asset:ability-${ability}`, ability)}</Tag>),
        },
      ]}
    />
  )
}

export function Place({ row }: Props) {
  const { t } = useTranslation('fleet')
  const { floor } = usePlace()
  const mayEdit = useMay('device/index/edit')
  const country =
    row.area && new Intl.DisplayNames(currentLanguage(), { type: 'region', fallback: 'code' }).of(row.area)
  const { latitude, longitude } = row
  const facts = [
    { label: t('building'), value: row.address },
    { label: t('floor'), value: row.address1 && floor(row.address1) },
    { label: t('country'), value: country },
    { label: t('asset:province'), value: row.province },
    { label: t('shell:time-zone'), value: row.zone, ltr: true },
    {
      label: t('coordinates'),
      value: latitude !== null && longitude !== null && `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`,
      ltr: true,
    },
  ]
  return (
    <FactsPanel title={t('place')} facts={facts}>
      {can(row, 'ride') && row.elevatorId !== null && <Elevator id={row.elevatorId} />}
      {mayEdit && <FindPlace serial={row.deviceSerialNumber} />}
    </FactsPanel>
  )
}

/** Asks where the robot is; what people wrote of it stays. */
function FindPlace({ serial }: { serial: string }) {
  const { t } = useTranslation('fleet')
  const action = useAction('/device/updateDevicesAddressByLbs', t('find-place'))
  return (
    <>
      <Button
        size="small"
        loading={action.busy}
        onClick={() => void action.run({ deviceSerialNumber: serial }, () => notice('success', t('place-found')))}
      >
        {t('find-place')}
      </Button>
      <Problem text={action.problem} />
    </>
  )
}

/** Its name is for who sees elevators. */
function Elevator({ id }: { id: number }) {
  const { t } = useTranslation('fleet')
  const elevators = useCall('/elevator/list', { currentPage: 1, pageSize: 1000 })
  const elevator = elevators.data?.list.find(({ elevatorId }) => elevatorId === id)
  if (!elevator) return null
  return (
    <p>
      {t('elevator')}: <bdi>{`${elevator.buildingName} · ${elevator.elevatorName}`}</bdi>
    </p>
  )
}
