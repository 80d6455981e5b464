/** Asks before something is deleted; why it is refused (robots use it) is said where it was asked. */

import { Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Modal } from '@/shared/ui/modal'
import { Field, Problem } from './field'

interface Props {
  name: string
  action: { busy: boolean; problem: string | undefined; reset(): void }
  /** A word that is typed first, so that no other goes by mistake. */
  typed?: { label: string; word: string }
  /** What goes with it, or stays. */
  children?: ReactNode
  onDelete(): void
  onClose(): void
}

export function DeleteDialog({ name, action, typed, children, onDelete, onClose }: Props) {
  const { t } = useTranslation()
  const [word, setWord] = useState('')
  return (
    <Modal
      open
      title={t('delete-confirm', { name })}
      okText={t('delete')}
      cancelText={t('cancel')}
      okButtonProps={{
        danger: true,
        loading: action.busy,
        disabled: typed !== undefined && word.trim() !== typed.word,
      }}
      onOk={onDelete}
      onCancel={onClose}
      onLeave={onClose}
    >
      {children}
      {typed && <Retyped autoFocus label={typed.label} value={word} onChange={setWord} action={action} />}
      <Problem text={action.problem} />
    </Modal>
  )
}

interface RetypedProps {
  label: string
  value: string
  autoFocus?: boolean
  action: { reset(): void }
  onChange(value: string): void
}

export function Retyped({ label, value, autoFocus = false, action, onChange }: RetypedProps) {
  return (
    <Field label={label}>
      <Input
        autoFocus={autoFocus}
        dir="ltr"
        autoComplete="off"
        value={value}
        onChange={(event) => {
          onChange(event.target.value)
          action.reset()
        }}
      />
    </Field>
  )
}
