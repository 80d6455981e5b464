/** A run as a person says that it was: one that no robot reported, or a correction of one that a robot did. */

import { DatePicker, Input, InputNumber, Select } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { LIMITS } from '@/shared/rpc/limits'
import { Columns } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { DevicePicker } from '@/widgets/form/device-picker'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { Detail } from './detail'
import { ENDS, type End } from './filters'

type Over = Exclude<End, 'running'>

interface Run {
  readonly taskName: string
  readonly startTime: string
  readonly endTime: string
  readonly workArea: number
  readonly cleanedArea: number
  readonly end: Over
}

const OVER = ENDS.filter((end) => end !== 'running')
const FIELDS = ['deviceId', 'taskName', 'startTime', 'endTime', 'workArea', 'cleanedArea', 'end'] as const
const MOST = LIMITS['/taskReport/insertTaskReport']

export function EditDialog({ report, onClose }: { report: Detail; onClose(): void }) {
  const { t } = useTranslation('report')
  const action = useAction('/taskReport/editTaskReport', t('edit'), FIELDS)
  const { taskReportId, updateTime } = report
  const start = { ...report, workArea: report.plannedArea, end: report.end as Over }
  const send = (run: Run) => action.run({ taskReportId, updateTime, ...changed(run, start) }, onClose)
  return <RunDialog title={t('edit-report')} ok={t('save')} start={start} {...{ action, send, onClose }} />
}

/** What stays as it is is not sent: it stays the robot's. */
const changed = (run: Run, start: Run): Partial<Run> =>
  Object.fromEntries(Object.entries(run).filter(([name, value]) => start[name as keyof Run] !== value))

export function AddDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('report')
  const [robot, setRobot] = useState<number>()
  const action = useAction('/taskReport/insertTaskReport', t('add-report'), FIELDS)
  const now = dayjs().startOf('minute')
  const start: Run = {
    ...{ taskName: '', workArea: 0, cleanedArea: 0, end: 'finished' },
    ...{ startTime: now.subtract(1, 'hour').toISOString(), endTime: now.toISOString() },
  }
  return (
    <RunDialog
      title={t('add-report')}
      ok={t('add')}
      start={start}
      ready={robot !== undefined}
      send={(run) => robot !== undefined && action.run({ deviceId: robot, mapName: '', ...run }, onClose)}
      {...{ action, onClose }}
    >
      <Field label={t('device')} fault={action.problemAt('deviceId')}>
        <DevicePicker value={robot} label={t('device')} placeholder={t('choose-device')} onChange={setRobot} />
      </Field>
    </RunDialog>
  )
}

interface Props {
  title: string
  ok: string
  start: Run
  ready?: boolean
  action: { readonly busy: boolean; readonly problem: string | undefined; problemAt(name: string): string | undefined }
  children?: React.ReactNode
  send(run: Run): void
  onClose(): void
}

function RunDialog({ title, ok, start, ready = true, action, children, send, onClose }: Props) {
  const { t } = useTranslation('report')
  const [run, setRun] = useState<Run>({
    ...{ taskName: start.taskName, startTime: start.startTime, endTime: start.endTime },
    ...{ workArea: start.workArea, cleanedArea: start.cleanedArea, end: start.end },
  })
  const change = (part: Partial<Run>) => setRun({ ...run, ...part })
  const moment = (name: 'startTime' | 'endTime', label: string) => (
    <Field label={label} fault={action.problemAt(name)}>
      <DatePicker
        showTime={{ format: 'HH:mm' }}
        allowClear={false}
        value={dayjs(run[name])}
        onChange={(at) => at && change({ [name]: at.toISOString() })}
      />
    </Field>
  )
  const area = (name: 'workArea' | 'cleanedArea', label: string) => (
    <Field label={label} fault={action.problemAt(name)}>
      <InputNumber
        aria-label={label}
        min={0}
        max={MOST.workArea.maximum}
        value={run[name]}
        suffix={t('unit-m2')}
        onChange={(value) => change({ [name]: value ?? 0 })}
      />
    </Field>
  )
  return (
    <Modal
      open
      width={600}
      title={title}
      okText={ok}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy, disabled: !ready || !run.taskName.trim() }}
      onOk={() => send(run)}
      onCancel={onClose}
    >
      <Columns gap="xl" lines="none">
        {children}
        <Field label={t('task')} fault={action.problemAt('taskName')}>
          <Input
            value={run.taskName}
            maxLength={MOST.taskName.maxLength}
            onChange={(event) => change({ taskName: event.target.value })}
          />
        </Field>
        {moment('startTime', t('start'))}
        {moment('endTime', t('run-end'))}
        {area('workArea', t('planned-area'))}
        {area('cleanedArea', t('cleaned-area'))}
        <Field label={t('result')} fault={action.problemAt('end')}>
          <Select
            value={run.end}
            onChange={(end: Over) => change({ end })}
            options={OVER.map((end) => ({ value: end, label: t(end) }))}
          />
        </Field>
      </Columns>
      <Problem text={action.problem} />
    </Modal>
  )
}
