/** Deletes what is older than a day that is chosen; what that means is said first. */

import dayjs from 'dayjs'
import type { ReactNode } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Field, Problem } from './field'
import { DayInput } from './time/day-input'

interface Props {
  title: string
  dayLabel: string
  /** YYYY-MM-DD; '' while none is chosen. */
  day: string
  onDay(day: string): void
  /** The last day that may be chosen; without it tomorrow. */
  until?: string
  /** What goes, and that it does not come back; undefined while that is not known. */
  note: string | undefined
  ready: boolean
  action: { readonly busy: boolean; readonly problem: string | undefined; problemAt(field: string): string | undefined }
  /** What is chosen before the day. */
  children?: ReactNode
  onDelete(): void
  onClose(): void
}

export function DeleteBeforeDialog(props: Props) {
  const { title, dayLabel, day, onDay, note, ready, action, children, onDelete, onClose } = props
  const until = props.until ?? dayjs().add(1, 'day').format('YYYY-MM-DD')
  const { t } = useTranslation('common')
  return (
    <Modal
      open
      title={title}
      okText={t('delete')}
      cancelText={t('cancel')}
      okButtonProps={{ danger: true, loading: action.busy, disabled: !ready }}
      onOk={onDelete}
      onCancel={onClose}
    >
      {children}
      <Field label={dayLabel} fault={action.problemAt('time')}>
        <DayInput clearable value={day} until={until} onChange={onDay} />
      </Field>
      {note !== undefined && (
        <Text tone="quiet" below="m">
          {note}
        </Text>
      )}
      <Problem text={action.problem} />
    </Modal>
  )
}

/** The last day that is deleted, for lists whose ranges include their end. */
export const lastBefore = (day: string) => dayjs(day).subtract(1, 'day').format('YYYY-MM-DD')
