/** A run as a person says that it was: one that no robot reported, or a correction of one that a robot did. */
import dayjs from 'dayjs'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { limitsOf, type Values } from '@/widgets/form/fields'
import { FormDialog } from '@/widgets/form/form-dialog'
import { required } from '@/widgets/form/rules'
import { useAction } from '@/widgets/form/use-action'
import type { Detail } from './detail'
import { ENDS, type End } from './filters'

type Over = Exclude<End, 'running'>

const INSERT = '/taskReport/insertTaskReport'
const UPDATE = '/taskReport/editTaskReport'
const OVER = ENDS.filter((end) => end !== 'running')
const ROBOT = {
  ...({ name: 'deviceId', label: 'common:device', kind: 'robot' } as const),
  ...({ placeholder: 'report:choose-device', rule: required } as const),
} as const
const RUN = [
  { name: 'taskName', label: 'common:task', rule: required },
  { name: 'startTime', label: 'report:start', kind: 'moment' },
  { name: 'endTime', label: 'report:run-end', kind: 'moment' },
  { name: 'workArea', label: 'common:planned-area', kind: 'number', digits: 1 },
  { name: 'cleanedArea', label: 'common:cleaned-area', kind: 'number', digits: 1 },
  { name: 'end', label: 'report:result', kind: 'choice' },
] as const
const NAMES = [ROBOT, ...RUN].map(({ name }) => name)

const runOf = ({ taskName, startTime, endTime, workArea, cleanedArea, end }: Values) => ({
  ...{ taskName: String(taskName), startTime: String(startTime), endTime: String(endTime) },
  ...{
    workArea: Number(workArea),
    cleanedArea: Number(cleanedArea),
    end: OVER.find((word) => word === end) ?? 'finished',
  },
})

function useParts() {
  const { t } = useTranslation('report')
  return {
    t,
    texts: 'report' as const,
    limits: limitsOf(INSERT),
    options: { end: OVER.map((end: Over) => ({ value: end, label: t(end) })) },
    suffix: (name: string) => (name === 'workArea' || name === 'cleanedArea') && t('unit-m2'),
  }
}

/** What stays as it is is not sent: it stays the robot's. */
export function EditDialog({ report, onClose }: { report: Detail; onClose(): void }) {
  const { t, ...parts } = useParts()
  const { taskReportId } = report
  const action = useAction(UPDATE, t('edit'), NAMES)
  // The page's own question: once it is answered anew, `report` is.
  const newest = useCall('/taskReport/detail', { taskReportId }, { enabled: action.late.length > 0, staleTime: 0 })
  const row = { ...report, workArea: report.plannedArea, updateTime: report.updateTime }
  const send = (values: Values, updateTime = report.updateTime, typed: readonly string[] = []) => {
    const changes = Object.entries(runOf(values)).filter(([name]) => typed.includes(name))
    void action.run({ taskReportId, updateTime, ...Object.fromEntries(changes) }, onClose)
  }
  return (
    <FormDialog
      {...parts}
      title={t('edit-report')}
      fields={RUN}
      row={row}
      start={{}}
      draft={`${UPDATE} ${taskReportId}`}
      action={action}
      onSend={send}
      onRefresh={newest.refetch}
      onClose={onClose}
    />
  )
}

export function AddDialog({ onClose }: { onClose(): void }) {
  const { t, ...parts } = useParts()
  const action = useAction(INSERT, t('add-report'), NAMES)
  const now = dayjs().startOf('minute')
  const send = (values: Values) =>
    void action.run({ deviceId: Number(values.deviceId), mapName: '', ...runOf(values) }, onClose)
  return (
    <FormDialog
      {...parts}
      title={t('add-report')}
      fields={[ROBOT, ...RUN]}
      row={undefined}
      start={{
        ...{ deviceId: null, taskName: '', workArea: 0, cleanedArea: 0, end: 'finished' },
        ...{ startTime: now.subtract(1, 'hour').toISOString(), endTime: now.toISOString() },
      }}
      draft={INSERT}
      action={action}
      onSend={send}
      onClose={onClose}
    />
  )
}
