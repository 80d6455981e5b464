/** Something is wrong with a robot. */
import { useTranslation } from '@/shared/i18n/text'
import { limitsOf } from '@/widgets/form/fields'
import { FormDialog } from '@/widgets/form/form-dialog'
import { required } from '@/widgets/form/rules'
import { today } from '@/widgets/form/time/day-input'
import { useAction } from '@/widgets/form/use-action'

const INSERT = '/repair/insertRepair'
const FIELDS = [
  { name: 'deviceId', label: 'common:robot', kind: 'robot', placeholder: 'records:choose-robot', rule: required },
  { name: 'date', label: 'records:reported-on', kind: 'day', until: 'now' },
  { name: 'type', label: 'records:repair-type', rule: required },
  { name: 'operator', label: 'common:reported-by' },
  { name: 'detail', label: 'records:repair-detail', kind: 'text', wide: true, rule: required },
] as const
const NAMES = FIELDS.map(({ name }) => name)

export function ReportDialog({ deviceId, onClose }: { deviceId: number | undefined; onClose(): void }) {
  const { t } = useTranslation('records')
  const action = useAction(INSERT, t('report-repair'), NAMES)
  return (
    <FormDialog
      texts="records"
      title={t('report-repair')}
      fields={FIELDS}
      limits={limitsOf(INSERT)}
      options={{}}
      row={undefined}
      start={{ deviceId: deviceId ?? null, type: '', detail: '', operator: '', date: today() }}
      draft={`${INSERT} ${deviceId ?? ''}`}
      action={action}
      onSend={({ deviceId, date, type, operator, detail }) =>
        void action.run(
          {
            deviceId: Number(deviceId),
            ...{ type: String(type), detail: String(detail), operator: String(operator), date: String(date) },
          },
          onClose,
        )
      }
      onClose={onClose}
    />
  )
}
