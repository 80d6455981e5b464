/** Puts off one alarm of a robot, or all of it while somebody works on it. */
import { Input, Radio, Select } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { LIMITS } from '@/shared/rpc/limits'
import { Row } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { AlarmRow } from '../rows'

interface Props {
  row: AlarmRow
  onClose(): void
}

const MINUTES = [15, 60, 240, 480, 1440, 4320, 10_080] as const
const USUAL = 60
const MINUTE_MS = 60_000

export function SnoozeDialog({ row, onClose }: Props) {
  const { t } = useTranslation('alarm')
  const { span } = useFormats()
  const [all, setAll] = useState(false)
  const [minutes, setMinutes] = useState<number>(USUAL)
  const [note, setNote] = useState('')
  const action = useAction('/warn/snoozeWarn', t('snooze'), ['note'])
  const { deviceSerialNumber, warnId } = row
  return (
    <Modal
      open
      title={t('snooze-of', { name: row.deviceCode })}
      okText={t('snooze')}
      cancelText={t('common:cancel')}
      okButtonProps={{ loading: action.busy }}
      onOk={() => void action.run({ deviceSerialNumber, ...(!all && { warnId }), minutes, note }, onClose)}
      onCancel={onClose}
    >
      <Row stack gap="m">
        <Radio.Group
          aria-label={t('snooze-what')}
          vertical
          value={all}
          onChange={(event) => setAll(event.target.value)}
          options={[
            { value: false, label: t('snooze-one', { alarm: row.content }) },
            { value: true, label: t('snooze-all') },
          ]}
        />
        <Field label={t('snooze-for')} hint={t('snooze-how')}>
          <Select
            aria-label={t('snooze-for')}
            value={minutes}
            options={MINUTES.map((value) => ({ value, label: span(value * MINUTE_MS) }))}
            onChange={setMinutes}
          />
        </Field>
        <Field label={t('snooze-why')} fault={action.problemAt('note')}>
          <Input
            aria-label={t('snooze-why')}
            value={note}
            maxLength={LIMITS['/warn/snoozeWarn'].note.maxLength}
            dir="auto"
            onChange={(event) => setNote(event.target.value)}
          />
        </Field>
        <Problem text={action.problem} />
      </Row>
    </Modal>
  )
}
