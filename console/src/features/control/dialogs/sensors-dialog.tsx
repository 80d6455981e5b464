/** What the robot senses now: readings, the lidar as it comes, and the health of its parts. */
import { useQuery } from '@tanstack/react-query'
import { Modal, Tabs } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { relayCall } from '@/shared/relay/relay'
import { QueryView } from '@/shared/ui/query-view'
import { useScope } from '../scope'
import { readSensors, type Sensor, sensorsKey } from '../status/vitals'
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
  const sensors = useQuery({
    queryKey: sensorsKey(deviceId),
    queryFn: ({ signal }) => readSensors(deviceId, signal),
    refetchInterval: EVERY_MS,
    meta: { quiet: true },
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
  const parts = useQuery({
    queryKey: ['relay', deviceId, 'hardware_state'],
    queryFn: async ({ signal }) => (await relayCall(deviceId, 'hardware_state', {}, signal)).list,
    refetchInterval: EVERY_MS,
    meta: { quiet: true },
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
