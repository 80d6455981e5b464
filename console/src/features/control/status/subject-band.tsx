/** Who this is and how it is: the band over the control page. Every value of a robot at work carries its age. */
import { IconVideo } from '@tabler/icons-react'
import { Segmented } from 'antd'
import { Button } from '@/shared/controls/button'
import { Popover } from '@/shared/controls/popover'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { StateMark, StateTag } from '@/shared/marks/state-mark'
import { Tag } from '@/shared/marks/tag'
import { useSend } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Fact, Facts } from '@/shared/ui/facts'
import { Row, Text } from '@/shared/ui/layout'
import { usePlace } from '@/widgets/place'
import { useClockWrong } from '@/widgets/robot/clock-wrong'
import { useInElevator } from '@/widgets/robot/in-elevator'
import type { ControlRow } from '../control-row'
import { FaultMenu } from './fault-menu'
import { useVitals } from './vitals'

const LOW = 15 // %
const UNSURE = 0.5 // m
const FACTORS = [1, 5, 20] as const
type Factor = (typeof FACTORS)[number]

export interface Subject {
  readonly deviceId: number
  readonly deviceCode: string
  readonly deviceSerialNumber: string
  readonly typeName: string
  readonly address: string
  readonly address1: string
  readonly protocolVersion: number
  readonly ownerUserId: number
  readonly abilities: readonly string[]
  readonly commands: readonly string[] | null
}

interface Props {
  device: Subject
  row: ControlRow
  /** Of the robot's newest row. */
  ageMs: number | undefined
  /** Whether its camera is shown beside the map. */
  watching: boolean
  onWatch(watching: boolean): void
}

export function SubjectBand({ device, row, ageMs, watching, onWatch }: Props) {
  const { t } = useTranslation('control')
  const { percent, unit, span } = useFormats()
  const simulate = useSend('/device/simulate', { action: t('speed-factor') })
  const vitals = useVitals(device.deviceId, row.mode !== 'offline')
  const sensorOf = (id: string) => vitals.data?.list.find((sensor) => sensor.id === id)
  const tank = (name: string) => row.tanks[name] ?? sensorOf(name)?.value
  const both = ['left_disinfectant', 'right_disinfectant'].flatMap((name) => tank(name) ?? [])
  const level = (word: string, ...fillings: readonly number[]) =>
    [word, fillings.map((filling) => percent(filling / 100)).join(' / '), Math.min(...fillings) < LOW] as const
  const accuracy = `± ${unit(row.uncertainty, 'metre', 2)}`
  const cleanWater = tank('clean_water')
  const waste = row.tanks.waste_water
  const values = [
    level(t('battery-level'), row.battery),
    ...(cleanWater === undefined ? [] : [level(t('clean-water'), cleanWater)]),
    ...(waste === undefined ? [] : [[t('waste-water'), percent(waste / 100), waste > 100 - LOW] as const]),
    ...(row.tanks.detergent === undefined ? [] : [level(t('detergent'), row.tanks.detergent)]),
    ...(both.length > 0 ? [level(t('disinfectant-both'), ...both)] : []),
    ...(both.length === 0 && cleanWater === undefined && row.liquid !== null
      ? [level(t('disinfectant'), row.liquid)]
      : []),
    ...(row.uncertainty > UNSURE ? [[t('localisation'), accuracy, true] as const] : []),
    ...(ageMs === undefined ? [] : [[t('position'), t('shell:data-age', { age: span(ageMs) }), false] as const]),
  ]
  const technical = (
    <>
      <Facts>
        <Fact name={t('localisation')}>
          <bdi>{accuracy}</bdi>
        </Fact>
        {vitals.data && <Fact name={t('link')}>{t('milliseconds', { count: Math.round(vitals.data.linkMs) })}</Fact>}
      </Facts>
      <Text size="small" tone="soft" above="m">
        {t('protocol', { version: device.protocolVersion })}
      </Text>
    </>
  )
  const { place } = usePlace()
  const where = place(device.address, device.address1)
  const elevator = useInElevator()(row)
  const mayWatch = useMay('device/videoHistory/live')
  const clock = useClockWrong()(row)
  return (
    <Row as="section" wrap gap="panel" lines="m" align="center" pad="m panel" surface aria-label={device.deviceCode}>
      <StateMark state={row.mode} size={30} />
      <div>
        <Text as="h2" size="title">
          {device.deviceCode}
        </Text>
        <Text as="span" size="small" tone="soft">
          <bdi dir="ltr">{device.deviceSerialNumber}</bdi> · {device.typeName}
          {where && ` · ${where}`}
        </Text>
      </div>
      <StateTag row={row} />
      {elevator && <Tag>{elevator}</Tag>}
      {clock && <Tag tone="paused">{clock}</Tag>}
      {row.simulated > 0 && (
        <Row as="span" inline wrap gap="m" align="center" size="small" tone="soft">
          <span id="factor-label">{t('speed-factor')}</span>
          <Segmented
            size="small"
            aria-labelledby="factor-label"
            options={FACTORS.map((factor: Factor) => ({ value: factor, label: <bdi dir="ltr">×{factor}</bdi> }))}
            value={row.simulated as Factor}
            disabled={simulate.isPending}
            onChange={(factor) => simulate.mutate({ deviceId: device.deviceId, factor })}
          />
          <FaultMenu deviceId={device.deviceId} help={row.help} />
        </Row>
      )}
      {mayWatch && row.mode !== 'offline' && (
        <Button size="small" icon={<IconVideo size={15} />} aria-pressed={watching} onClick={() => onWatch(!watching)}>
          {t('common:live-video')}
        </Button>
      )}
      <Row as="dl" wrap gap="xl" lines="xs" end>
        {values.map(([name, value, low]) => (
          <div key={name}>
            <Text as="dt" size="small" tone="soft">
              {name}
            </Text>
            <Text as="dd" strong tone={low ? 'paused' : undefined}>
              <bdi>{value}</bdi>
            </Text>
          </div>
        ))}
      </Row>
      <Popover
        size="small"
        place="below-end"
        aria-label={`${t('more')}: ${device.deviceCode}`}
        content={() => technical}
      >
        {t('more')}
      </Popover>
    </Row>
  )
}
