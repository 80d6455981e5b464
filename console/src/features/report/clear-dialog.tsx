/** Deletes all runs that began before a day; how many there are is said first. */

import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'

const DAY = 'YYYY-MM-DD'

export function ClearDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('report')
  const { number } = useFormats()
  const [day, setDay] = useState<string>()
  const action = useAction('/taskReport/deleteTaskReport', t('delete'), ['time'])
  const until = dayjs(day).subtract(1, 'day').format(DAY)
  const reports = useCall(
    '/taskReport/list',
    { currentPage: 1, pageSize: 1, endDate: until },
    { enabled: day !== undefined },
  )
  const count = day === undefined ? undefined : reports.data?.total
  return (
    <Modal
      open
      title={t('delete-before')}
      okText={t('delete')}
      cancelText={t('cancel')}
      okButtonProps={{ danger: true, loading: action.busy, disabled: !count }}
      onOk={() => day && action.run({ time: day }, onClose)}
      onCancel={onClose}
    >
      <Field label={t('before-day')} fault={action.problemAt('time')}>
        <DatePicker
          value={day ? dayjs(day) : null}
          maxDate={dayjs().add(1, 'day')}
          onChange={(chosen) => setDay(chosen?.format(DAY))}
        />
      </Field>
      {count !== undefined && (
        <Text tone="quiet" below="m">
          {t('delete-before-how', { runs: number(count) })}
        </Text>
      )}
      <Problem text={action.problem} />
    </Modal>
  )
}
