/** What the robot senses now: readings, the lidar as it comes, and the health of its parts. */

import { Tabs } from 'antd'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { relayCall } from '@/shared/relay/relay'
import { useRobotAnswer } from '@/shared/relay/use-robot-answer'
import { Fact, Facts } from '@/shared/ui/facts'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { QueryView } from '@/shared/ui/query-view'
import { useScope } from '../scope'
import { READINGS, readSensors, type Sensor } from '../status/vitals'
import { Scan } from './scan'
import { partWord, sensorWord } from './sensors'

const EVERY_MS = 1000
const SWITCHES = new Set(['bumper', 'battery_charging'])

export function SensorsDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('control')
  return (
    <Modal open title={t('sensors')} footer={null} width={560} onCancel={onClose}>
      <Tabs
        items={[
          { key: 'readings', label: t('readings'), children: <Readings /> },
          { key: 'lidar', label: t('legend-lidar'), children: <Scan /> },
          { key: 'parts', label: t('parts-health'), children: <Parts /> },
        ]}
      />
    </Modal>
  )
}

function Readings() {
  const { t } = useTranslation('control')
  const { number } = useFormats()
  const { deviceId } = useScope()
  const sensors = useRobotAnswer(deviceId, {
    key: [READINGS],
    read: (signal) => readSensors(deviceId, signal),
    everyMs: EVERY_MS,
  })
  const value = ({ id, value, unit }: Sensor) => {
    if (SWITCHES.has(id)) return t(value ? 'answer-yes' : 'answer-no')
    return unit ? `${number(value, 2)} ${unit}` : number(value, 2)
  }
  return (
    <QueryView query={sensors} isEmpty={(list) => list.length === 0}>
      {(list) => (
        <Facts ends>
          {list.map((sensor) => {
            const word = sensorWord(sensor.id)
            return (
              <Fact key={sensor.id} name={word ? t(word) : sensor.id}>
                <Text as="b" tone={sensor.ok === false ? 'help' : undefined}>
                  <bdi dir="ltr">{value(sensor)}</bdi>
                  {sensor.ok === false && ` · ${t('part-fault')}`}
                </Text>
              </Fact>
            )
          })}
        </Facts>
      )}
    </QueryView>
  )
}

function Parts() {
  const { t } = useTranslation('control')
  const { deviceId } = useScope()
  const parts = useRobotAnswer(deviceId, {
    key: ['hardware_state'],
    read: async (signal) => (await relayCall(deviceId, 'hardware_state', {}, signal)).list,
    everyMs: EVERY_MS,
  })
  return (
    <QueryView query={parts} isEmpty={(list) => list.length === 0}>
      {(list) => (
        <Facts ends>
          {list.map(({ name, state }) => {
            const word = partWord(name)
            return (
              <Fact key={name} name={word ? t(word) : name}>
                <Text as="b" tone={state === 'ok' ? undefined : 'help'}>
                  {t(state === 'ok' ? 'part-well' : 'part-fault')}
                </Text>
              </Fact>
            )
          })}
        </Facts>
      )}
    </QueryView>
  )
}
