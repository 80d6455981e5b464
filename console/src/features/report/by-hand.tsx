/** Of a run: whose hand changed it and what its robot said; and to change or delete it. */
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '@/shared/controls/button'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import { DeleteDialog } from '@/widgets/form/delete-dialog'
import { useAction } from '@/widgets/form/use-action'
import { toMs } from '@/widgets/time'
import type { Detail } from './detail'
import { EditDialog } from './hand-dialog'

const LIST = '/device/report'

export function HandLine({ report }: { report: Detail }) {
  const { t } = useTranslation('report')
  const { dateTime, area } = useFormats()
  const { byHand, editor, editTime, original } = report
  if (byHand === '') return null
  const at = { name: editor, time: dateTime(toMs(editTime) ?? 0) }
  return (
    <Text size="small" tone="quiet">
      {t(byHand === 'edited' ? 'edited-by' : 'inserted-by', at)}
      {original && (
        <>
          {' '}
          {t('robot-reported', {
            cleaned: area(original.cleanedArea).text,
            planned: area(original.workArea).text,
            start: dateTime(toMs(original.startTime) ?? 0),
            end: dateTime(toMs(original.endTime) ?? 0),
          })}
        </>
      )}
    </Text>
  )
}

export function HandButtons({ report }: { report: Detail }) {
  const { t } = useTranslation('report')
  const go = useNavigate()
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const action = useAction('/taskReport/deleteTaskReport', t('delete'))
  const close = () => setOpen(undefined)
  if (report.end === 'running') return null
  return (
    <>
      <Button icon={<IconPencil size={16} stroke={1.75} />} onClick={() => setOpen('edit')}>
        {t('edit')}
      </Button>
      <Button icon={<IconTrash size={16} stroke={1.75} />} onClick={() => setOpen('delete')}>
        {t('delete')}
      </Button>
      {open === 'edit' && <EditDialog report={report} onClose={close} />}
      {open === 'delete' && (
        <DeleteDialog
          name={report.taskName || report.mapName}
          action={action}
          onDelete={() => action.run({ taskReportId: report.taskReportId }, () => go(LIST))}
          onClose={close}
        />
      )}
    </>
  )
}
