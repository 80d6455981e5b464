/** Brushes, fan, pump, lamp and the dose of disinfectant: each level is set as it is chosen, and shown as the robot tells it. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, InputNumber, Segmented, Slider } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { COMMAND_LIMITS } from '@/shared/relay/limits'
import { relayCall } from '@/shared/relay/relay'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { QueryView } from '@/shared/ui/query-view'
import { Field, Problem } from '@/widgets/form/field'
import { can } from '@/widgets/robot/robot'
import { utilityWord } from '@/widgets/robot/utility-word'
import { useScope, useWay } from '../scope'
import styles from './dialogs.module.css'
import { useOrder } from './use-order'
import { levelPayload, type Utility, useUtilities, utilitiesKey } from './utilities'

const HIGHEST_DOSE = COMMAND_LIMITS.disinfect_ctrl.speed_Value.maximum // ml/m²
const FEW = 4 // levels that stand side by side

export function UtilitiesDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('control')
  const { deviceId, protocol, abilities } = useScope()
  const utilities = useUtilities(deviceId, protocol)
  const way = useWay()('utils_ctrl')
  return (
    <Modal open title={t('robot:utilities')} footer={null} onCancel={onClose}>
      {way.blocked && (
        <Text size="small" tone="soft">
          {way.blocked}
        </Text>
      )}
      <QueryView query={utilities} isEmpty={(list) => list.length === 0}>
        {(list) => (
          <Row as="ul" stack gap="m" below="l" className={styles.levels}>
            {list.map((utility) => (
              <Level key={utility.id} utility={utility} off={!way.available || way.blocked !== ''} />
            ))}
          </Row>
        )}
      </QueryView>
      {can({ abilities }, 'disinfect') && <Dose />}
    </Modal>
  )
}

function Level({ utility, off }: { utility: Utility; off: boolean }) {
  const { t } = useTranslation('control')
  const { number } = useFormats()
  const queries = useQueryClient()
  const { deviceId, protocol } = useScope()
  const order = useOrder()
  const { t: robot } = useTranslation('robot')
  const word = utilityWord(utility.id)
  const name = word ? robot(word) : utility.name
  const [level, setLevel] = useState<number>()
  const set = async (level: number) => {
    setLevel(level)
    const payload = levelPayload(protocol, utility.id, level)
    await order.send({ command: 'utils_ctrl', payload, label: t('set-level', { name, count: level }) })
    await queries.invalidateQueries({ queryKey: utilitiesKey(deviceId) })
    setLevel(undefined)
  }
  const value = level ?? utility.value
  const levels = Array.from({ length: utility.max + 1 }, (_, level) => level)
  const label = (level: number) => (utility.max > 1 ? number(level) : t(level ? 'on' : 'off'))
  return (
    <li>
      <span id={`utility-${utility.id}`}>{name}</span>
      {utility.max < FEW ? (
        <Segmented
          block
          size="small"
          aria-labelledby={`utility-${utility.id}`}
          disabled={off || order.busy}
          value={value}
          options={levels.map((level) => ({ value: level, label: label(level) }))}
          onChange={(level) => void set(Number(level))}
        />
      ) : (
        <span className={styles.slide}>
          <Slider
            ariaLabelledByForHandle={`utility-${utility.id}`}
            disabled={off || order.busy}
            max={utility.max}
            value={value}
            onChange={setLevel}
            onChangeComplete={(level) => void set(level)}
            tooltip={{ open: false }}
          />
          {number(value)}
        </span>
      )}
      <Problem text={order.problem} />
    </li>
  )
}

function Dose() {
  const { t } = useTranslation('control')
  const { area } = useFormats()
  const { deviceId } = useScope()
  const way = useWay()('disinfect_ctrl')
  const order = useOrder(['speed_Value'])
  const [draft, setDraft] = useState<number | null>()
  const dose = useQuery({
    queryKey: ['relay', deviceId, 'disinfect_state'],
    queryFn: ({ signal }) => relayCall(deviceId, 'disinfect_state', {}, signal),
    meta: { quiet: true },
  })
  if (!way.available || !dose.data) return null
  const value = draft === undefined ? dose.data.speed_Value : draft
  const wrong = value === null || !Number.isInteger(value) || value < 0 || value > HIGHEST_DOSE
  const range = t('range', { min: 0, max: HIGHEST_DOSE, unit: 'ml/m²' })
  const left = dose.data.area > 0 ? area(dose.data.area).text : undefined
  const set = async () => {
    if (value === null) return
    const payload = { speed_Value: value }
    const label = t('set-dose', { count: value })
    if (await order.send({ command: 'disinfect_ctrl', payload, label })) await dose.refetch()
    setDraft(undefined)
  }
  const hint = left ? t('dose-lasts', { area: left }) : range
  return (
    <Row gap="m" align="center" rule="above">
      <Field label={t('dose')} hint={hint} fault={wrong ? range : order.problemAt('speed_Value')}>
        <InputNumber<number>
          value={value}
          suffix="ml/m²"
          disabled={way.blocked !== ''}
          onChange={setDraft}
          {...(wrong && { status: 'error' as const })}
        />
      </Field>
      <Button
        loading={order.busy}
        disabled={way.blocked !== '' || wrong || draft === undefined}
        title={way.blocked}
        onClick={set}
      >
        {t('set')}
      </Button>
      <Problem text={order.problem} />
    </Row>
  )
}
