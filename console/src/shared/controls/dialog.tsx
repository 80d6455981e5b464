/**
 * A question or a short form above the page, by the browser's own dialog: it keeps the focus, which begins at its first
 * field or else at the button that changes nothing; Escape closes it.
 */
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from '../i18n/text'
import { focusFirst } from '../ui/dialog-focus'
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
  const content = useRef<HTMLDivElement>(null)
  const buttons = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = dialog.current
    const opener = document.activeElement
    if (element && !element.open) element.showModal()
    focusFirst(content.current, buttons.current) // the browser takes the cross
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
      <div ref={content} className={styles.content}>
        {children}
      </div>
      <footer ref={buttons}>{footer}</footer>
    </dialog>
  )
}
