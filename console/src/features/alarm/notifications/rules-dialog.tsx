/** When one is notified of alarms, and who is next where nobody takes an alarm of one's own robots. */
import { Select, Switch } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Columns, Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { QueryView } from '@/shared/ui/query-view'
import { Field, Problem } from '@/widgets/form/field'
import { ClockInput } from '@/widgets/form/time/clock-input'
import { useAction } from '@/widgets/form/use-action'
import { PushSection } from './push-section'

const MINUTE_MS = 60_000
const MINUTES = [5, 10, 15, 30, 60, 120, 240] as const
const STEPS = [1, 2, 3] as const
const NIGHT = { quietFrom: '22:00', quietUntil: '07:00' } as const
const NO_QUIET = { quietFrom: null, quietUntil: null } as const
const MORNING = '07:30'
const WIDTH_PX = 560

type Hours = Answer<'/warn/notificationHours'>
type Escalation = Answer<'/warn/escalation'>

/** A person who has set nothing yet means the times of the own clock. */
const withZone = (hours: Hours): Hours => ({
  ...hours,
  zone: hours.zone || Intl.DateTimeFormat().resolvedOptions().timeZone,
})

export function RulesDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('alarm')
  const mayEscalate = useMay('warn/index/warn/resume')
  const hours = useCall('/warn/notificationHours', {})
  const escalation = useCall('/warn/escalation', {})
  const [typedHours, setTypedHours] = useState<Partial<Hours>>({})
  const [typedEscalation, setTypedEscalation] = useState<Partial<Escalation>>({})
  const ofHours = useAction('/warn/editNotificationHours', t('quiet-hours'), ['quietUntil', 'digest'])
  const ofEscalation = useAction('/warn/editEscalation', t('escalation'), ['steps'])
  const save = () => {
    if (!hours.data || !escalation.data) return
    const { minutes, steps } = { ...escalation.data, ...typedEscalation }
    const escalate = () => (mayEscalate ? void ofEscalation.run({ minutes, steps }, onClose) : onClose())
    void ofHours.run({ ...withZone(hours.data), ...typedHours }, escalate)
  }
  return (
    <Modal
      open
      width={WIDTH_PX}
      title={t('rules')}
      okText={t('common:save')}
      cancelText={t('common:cancel')}
      okButtonProps={{ loading: ofHours.busy || ofEscalation.busy, disabled: !hours.data || !escalation.data }}
      onOk={save}
      onCancel={onClose}
    >
      <Row stack gap="l">
        <QueryView query={hours}>
          {(data) => (
            <QuietFields
              values={{ ...withZone(data), ...typedHours }}
              problemAt={ofHours.problemAt}
              onChange={(part) => setTypedHours({ ...typedHours, ...part })}
            />
          )}
        </QueryView>
        {mayEscalate && (
          <QueryView query={escalation}>
            {(data) => (
              <EscalationFields
                values={{ ...data, ...typedEscalation }}
                problem={ofEscalation.problemAt('steps')}
                onChange={(part) => setTypedEscalation({ ...typedEscalation, ...part })}
              />
            )}
          </QueryView>
        )}
        <PushSection />
        <Problem text={ofHours.problem ?? ofEscalation.problem} />
      </Row>
    </Modal>
  )
}

interface QuietProps {
  values: Hours
  problemAt(name: string): string | undefined
  onChange(part: Partial<Hours>): void
}

function QuietFields({ values, problemAt, onChange }: QuietProps) {
  const { t } = useTranslation('alarm')
  const { zone, quietFrom, quietUntil, alarmsPass, digest } = values
  const quiet = quietFrom !== null && quietUntil !== null
  return (
    <Row as="section" stack gap="m">
      <Field label={t('quiet-hours')} hint={t('quiet-how')}>
        <Switch checked={quiet} onChange={(on) => onChange(on ? NIGHT : NO_QUIET)} />
      </Field>
      {quiet && (
        <>
          <Columns gap="m">
            <Field label={t('quiet-from')}>
              <ClockInput value={quietFrom} onChange={(value) => onChange({ quietFrom: value })} />
            </Field>
            <Field label={t('quiet-until')} fault={problemAt('quietUntil')}>
              <ClockInput value={quietUntil} onChange={(value) => onChange({ quietUntil: value })} />
            </Field>
          </Columns>
          <Field label={t('alarms-pass')}>
            <Switch checked={alarmsPass} onChange={(on) => onChange({ alarmsPass: on })} />
          </Field>
        </>
      )}
      <Field label={t('digest')} hint={t('digest-how')} fault={problemAt('digest')}>
        <Switch checked={digest !== null} onChange={(on) => onChange({ digest: on ? MORNING : null })} />
      </Field>
      {digest !== null && (
        <Field label={t('digest-at')}>
          <ClockInput value={digest} onChange={(value) => onChange({ digest: value })} />
        </Field>
      )}
      {(quiet || digest !== null) && (
        <Text size="small" tone="soft">
          {t('times-in', { zone })}
        </Text>
      )}
    </Row>
  )
}

interface EscalationProps {
  values: Escalation
  problem: string | undefined
  onChange(part: Partial<Escalation>): void
}

function EscalationFields({ values: { minutes, steps }, problem, onChange }: EscalationProps) {
  const { t } = useTranslation('alarm')
  const { span } = useFormats()
  const waits = [...new Set([...MINUTES, ...(minutes === null ? [] : [minutes])])].sort((a, b) => a - b)
  return (
    <Row as="section" stack gap="m">
      <Text as="h3" strong>
        {t('escalation')}
      </Text>
      <Field label={t('escalate-after')} hint={t('escalate-how')}>
        <Select
          aria-label={t('escalate-after')}
          value={minutes ?? 0}
          options={[
            { value: 0, label: t('escalate-never') },
            ...waits.map((value) => ({ value, label: span(value * MINUTE_MS) })),
          ]}
          onChange={(value) => onChange({ minutes: value || null })}
        />
      </Field>
      {minutes !== null && (
        <Field label={t('escalate-to')} fault={problem}>
          <Select
            aria-label={t('escalate-to')}
            value={steps}
            options={STEPS.map((value) => ({ value, label: t(`escalate-${value}`) }))}
            onChange={(value) => onChange({ steps: value })}
          />
        </Field>
      )}
    </Row>
  )
}
