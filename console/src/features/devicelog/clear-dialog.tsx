/** Deletes the copies here of logs of one kind, from before a day. */
import dayjs from 'dayjs'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { DeleteBeforeDialog } from '@/widgets/form/delete-before-dialog'
import { useAction } from '@/widgets/form/use-action'
import { KIND_WORDS, type Kind } from './rows'

export function ClearDialog({ kind, onClose }: { kind: Kind; onClose(): void }) {
  const { t } = useTranslation('devicelog')
  const [day, setDay] = useState('')
  const action = useAction('/deviceLog/deleteDeviceLogByDate', t('delete-before'), ['time'])
  return (
    <DeleteBeforeDialog
      title={`${t('delete-before')}: ${t(KIND_WORDS[kind])}`}
      dayLabel={t('before-day')}
      day={day}
      until={dayjs().format('YYYY-MM-DD')}
      onDay={setDay}
      note={t('delete-before-how')}
      ready={day !== ''}
      action={action}
      onDelete={() => void action.run({ time: day, kind }, onClose)}
      onClose={onClose}
    />
  )
}
