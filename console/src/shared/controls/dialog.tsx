/** A question or a short form above the page, by the browser's own dialog: it keeps the focus, Escape closes it. */
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from '../i18n/text'
import styles from './dialog.module.css'

interface Props {
  readonly title: string
  /** The buttons, the way back first. */
  readonly footer: ReactNode
  readonly children: ReactNode
  onClose(): void
}

export function Dialog({ title, footer, children, onClose }: Props) {
  const { t } = useTranslation('common')
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    const opener = document.activeElement
    if (element && !element.open) element.showModal()
    return () => {
      element?.close()
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault() // who shows it takes it away
        onClose()
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" className={styles.close} aria-label={t('close')} onClick={onClose}>
          <IconX size={16} stroke={1.75} aria-hidden="true" />
        </button>
      </header>
      <div className={styles.content}>{children}</div>
      <footer>{footer}</footer>
    </dialog>
  )
}
