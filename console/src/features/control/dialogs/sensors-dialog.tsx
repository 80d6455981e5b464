/** What the robot senses now: readings, the lidar as it comes, and the health of its parts. */
import { Modal, Tabs } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { relayCall } from '@/shared/relay/relay'
import { useRobotAnswer } from '@/shared/relay/use-robot-answer'
import { QueryView } from '@/shared/ui/query-view'
import { useScope } from '../scope'
import { READINGS, readSensors, type Sensor } from '../status/vitals'
import styles from './dialogs.module.css'
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
        <dl className={styles.facts}>
          {list.map((sensor) => {
            const word = sensorWord(sensor.id)
            return (
              <div key={sensor.id}>
                <dt>{word ? t(word) : sensor.id}</dt>
                <dd data-broken={sensor.ok === false || undefined}>
                  <bdi dir="ltr">{value(sensor)}</bdi>
                  {sensor.ok === false && ` · ${t('part-fault')}`}
                </dd>
              </div>
            )
          })}
        </dl>
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
        <dl className={styles.facts}>
          {list.map(({ name, state }) => {
            const word = partWord(name)
            return (
              <div key={name}>
                <dt>{word ? t(word) : name}</dt>
                <dd data-broken={state !== 'ok' || undefined}>{t(state === 'ok' ? 'part-well' : 'part-fault')}</dd>
              </div>
            )
          })}
        </dl>
      )}
    </QueryView>
  )
}
