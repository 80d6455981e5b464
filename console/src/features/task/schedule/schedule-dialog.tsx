/** Makes or changes a schedule of a robot. The robot decides: what it refuses is said at its field. */

import { Input, InputNumber, Select, Switch } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { COMMAND_LIMITS } from '@/shared/relay/limits'
import { useCall } from '@/shared/rpc/hooks'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { DraftNote } from '@/widgets/form/draft/draft-note'
import { useDraft } from '@/widgets/form/draft/use-draft'
import { Field, Problem } from '@/widgets/form/field'
import { ClockInput } from '@/widgets/form/time/clock-input'
import { useOnline } from '@/widgets/robot/online'
import { type Commanded, has } from '@/widgets/robot/robot'
import { useTell } from '../robot-link'
import { ADD, EDIT, type Listed, RENAME, takesSchedules } from '../schedules'
import { Days } from './days'
import { Floors } from './floors'
import {
  FIELD,
  type Field as FieldName,
  faultsOf,
  MOST_CHARGE,
  NEW,
  overMidnight,
  payloadOf,
  type Values,
  valuesOf,
} from './form'
import styles from './schedule.module.css'

export interface Choice extends Commanded {
  readonly deviceId: number
  readonly deviceCode: string
  readonly building: string
  readonly zone: string
}

interface Props {
  /** Of which one may be chosen where the schedule is new. */
  robots: readonly Choice[]
  deviceId: number | undefined
  schedule: Listed | undefined
  /** The day of the week that a new one begins with. */
  weekday?: number | undefined
  onClose(): void
}

interface Left {
  readonly values: Values
  readonly deviceId: number | undefined
  /** Of the schedule that was changed: the robot refuses it once it has another. */
  readonly revision: number | undefined
}

/** A robot that has no schedules of one floor begins with several. */
const begun = (robot: Choice | undefined, weekday?: number): Values => ({
  ...NEW,
  ...(robot && !takesSchedules(robot, 'timetask') && { rides: true }),
  ...(weekday !== undefined && { days: [weekday] }),
})

export function ScheduleDialog({ robots: all, deviceId: given, schedule, weekday, onClose }: Props) {
  const { t } = useTranslation('task')
  const { dateTime } = useFormats()
  const robots = all.filter((choice) => choice.deviceId === given || takesSchedules(choice))
  const draft = useDraft<Left>(schedule ? `${schedule.kind} ${given} ${schedule.name}` : `timetask ${given ?? ''}`)
  const { left } = draft
  const usual = given ?? (robots.length === 1 ? robots[0]?.deviceId : undefined)
  const [deviceId, setDeviceId] = useState(
    () => usual ?? robots.find((choice) => choice.deviceId === left?.deviceId)?.deviceId,
  )
  const [based, setBased] = useState(left?.revision ?? schedule?.revision)
  const begin = (id: number | undefined): Values =>
    schedule
      ? valuesOf(schedule)
      : begun(
          robots.find((choice) => choice.deviceId === id),
          weekday,
        )
  const [values, setValues] = useState<Values>(() => ({
    ...begin(deviceId),
    ...left?.values,
    ...(weekday !== undefined && { days: [weekday] }),
  }))
  const [submitted, setSubmitted] = useState(false)
  const online = useOnline(deviceId)
  const { tell, busy, refused, forget } = useTell(deviceId ?? 0)
  const robot = robots.find((choice) => choice.deviceId === deviceId)
  const zone = robot?.zone ?? ''
  const faults = faultsOf(values)
  const put = (next: Values, id = deviceId) => {
    setValues(next)
    draft.keep({ values: next, deviceId: id, revision: based })
  }
  const change = (part: Partial<Values>) => {
    forget()
    put({ ...values, ...part })
  }
  const field = refused && FIELD[refused.field]
  const fault = (name: FieldName) =>
    (submitted && faults[name] && t(faults[name])) || (field === name ? refused?.text : undefined)

  const save = async () => {
    setSubmitted(true)
    if (deviceId === undefined || Object.keys(faults).length > 0) return
    const kind = values.rides ? 'elevator_timetask' : 'timetask'
    const name = values.name.trim()
    let revision = based
    if (schedule && schedule.name !== name) {
      const label = t('rename-named', { name: schedule.name })
      const renamed = await tell(
        { command: RENAME[kind], payload: { name: schedule.name, new_name: name }, label },
        { kind, name },
      )
      if (!renamed) return
      revision = Number(renamed.revision)
    }
    const known = schedule && revision !== undefined ? { ...schedule, revision } : undefined
    const command = known ? EDIT[kind] : ADD[kind]
    const done = await tell(
      { command, payload: payloadOf(values, known), label: t('save-named', { name }) },
      { kind, name },
    )
    if (!done) return
    const next = Number(done.next)
    if (next > 0) notice('info', t('next-run', { name, time: dateTime(next, zone || undefined) }))
    draft.discard()
    onClose()
  }
  return (
    <Modal
      open
      width={620}
      title={schedule ? t('edit-named', { name: schedule.name }) : t('schedule-task')}
      okText={t('save')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: busy, disabled: deviceId === undefined || !online }}
      onOk={() => void save()}
      {...draft.closing(onClose)}
    >
      <DraftNote
        savedAt={draft.savedAt}
        onDiscard={() => {
          draft.discard()
          setDeviceId(usual)
          setValues(begin(usual))
          setBased(schedule?.revision)
        }}
      />
      {!schedule && given === undefined && (
        <Field label={t('robot')}>
          <Select
            aria-label={t('robot')}
            value={deviceId ?? null}
            placeholder={t('choose-robot')}
            showSearch={{ optionFilterProp: 'label' }}
            onChange={(id: number) => {
              setDeviceId(id)
              const { rides } = begun(robots.find((choice) => choice.deviceId === id))
              put({ ...values, rides, floors: NEW.floors }, id)
            }}
            options={robots.map((choice) => ({ value: choice.deviceId, label: choice.deviceCode }))}
          />
        </Field>
      )}
      {deviceId !== undefined && !online && <Problem text={t('offline-read-only')} />}
      <Field label={t('name')} fault={fault('name')}>
        <Input
          value={values.name}
          maxLength={COMMAND_LIMITS.timetask_save.name.maxLength}
          autoComplete="off"
          disabled={Boolean(schedule && robot && !has(robot, RENAME[schedule.kind]))}
          aria-invalid={Boolean(fault('name'))}
          onChange={(event) => change({ name: event.target.value })}
        />
      </Field>
      {!schedule && (!robot || (takesSchedules(robot, 'timetask') && takesSchedules(robot, 'elevator_timetask'))) && (
        <label className={styles.switch}>
          <Switch
            size="small"
            checked={values.rides}
            onChange={(rides) => change({ rides, floors: rides ? values.floors : values.floors.slice(0, 1) })}
          />
          <span>{t('several-floors')}</span>
        </label>
      )}
      {values.rides && (
        <Elevators
          building={robot?.building ?? ''}
          value={values.elevator}
          onChange={(elevator) => change({ elevator })}
        />
      )}
      {deviceId !== undefined && online && (
        <Floors
          deviceId={deviceId}
          floors={values.floors}
          rides={values.rides}
          fault={fault('floors')}
          onChange={(floors) => change({ floors })}
        />
      )}
      <Days days={values.days} fault={fault('days')} onChange={(days) => change({ days })} />
      <div className={styles.pair}>
        <Field label={t('start-time')} hint={zone && t('by-clock', { zone })} fault={fault('start')}>
          <ClockInput value={values.start} onChange={(start) => change({ start })} />
        </Field>
        <div>
          <label className={styles.switch}>
            <Switch size="small" checked={values.forced} onChange={(forced) => change({ forced })} />
            <span>{t('forced-end')}</span>
          </label>
          {values.forced && (
            <Field
              label={t('forced-end-time')}
              hint={overMidnight(values) ? t('next-day') : undefined}
              fault={fault('end')}
            >
              <ClockInput value={values.end} onChange={(end) => change({ end })} />
            </Field>
          )}
        </div>
      </div>
      <Field label={t('charge-first-below')} hint={t('charge-first-how')} fault={fault('chargeBelow')}>
        <InputNumber
          min={0}
          max={MOST_CHARGE}
          suffix="%"
          value={values.chargeBelow}
          onChange={(chargeBelow) => change({ chargeBelow })}
        />
      </Field>
      <label className={styles.switch}>
        <Switch size="small" checked={values.enable} onChange={(enable) => change({ enable })} />
        <span>{t('schedule-on')}</span>
      </label>
      {refused && !field && <Problem text={refused.text} />}
    </Modal>
  )
}

/** Those of the robot's building that have a code; without one, any that serves both floors. */
function Elevators({ building, value, onChange }: { building: string; value: string; onChange(code: string): void }) {
  const { t } = useTranslation('task')
  const known = useCall('/task/elevators', { building })
  return (
    <Field label={t('elevator')}>
      <Select
        aria-label={t('elevator')}
        value={value || null}
        allowClear
        placeholder={t('any-elevator')}
        onChange={(code: string | null) => onChange(code ?? '')}
        options={(known.data?.list ?? []).map((elevator) => ({ value: elevator.code, label: elevator.elevatorName }))}
      />
    </Field>
  )
}
