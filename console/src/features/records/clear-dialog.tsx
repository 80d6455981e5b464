/** Deletes all records of before a day; how many there are is said first. */
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { DeleteBeforeDialog, lastBefore } from '@/widgets/form/delete-before-dialog'
import { useAction } from '@/widgets/form/use-action'

export function ClearDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('records')
  const [day, setDay] = useState('')
  const action = useAction('/repair/deleteRepairBeforeDate', t('delete'), ['time'])
  const repairs = useCall(
    '/repair/list',
    { currentPage: 1, pageSize: 1, endDate: lastBefore(day) },
    { enabled: day !== '' },
  )
  const count = day === '' ? undefined : repairs.data?.total
  return (
    <DeleteBeforeDialog
      title={t('delete-before')}
      dayLabel={t('before-day')}
      day={day}
      onDay={setDay}
      note={count === undefined ? undefined : t('delete-before-how', { count })}
      ready={Boolean(count)}
      action={action}
      onDelete={() => void action.run({ time: day }, onClose)}
      onClose={onClose}
    />
  )
}
