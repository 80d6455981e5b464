/**
 * Ant Design's dialog, which gives the focus to its first field or else to the button that changes nothing, and when it
 * goes back to where it came from: a person at the keyboard goes on where they were. What was typed does not go by
 * Escape, by the cross or by a press beside it without a question; by "Cancel" it does.
 */
// biome-ignore lint/style/noRestrictedImports: this is the one that gives the focus
import { Modal as AntModal, Button, type ModalProps } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../i18n/text'
import { USUAL_LETTERS } from '../theme/tokens'
import { focusFirst, giveBack, inField } from './dialog-focus'
import { useTyped } from './typed'

interface Props extends Omit<ModalProps, 'modalRender' | 'width' | 'onCancel'> {
  /** px of the look. */
  width?: number
  onCancel?(): void
  /** In passing: by Escape, by its cross, beside it. Without it the dialog asks where something was typed. */
  onLeave?: (() => void) | undefined
}

const USUAL_WIDTH = 520
const QUESTION_WIDTH = 420

export function Modal({ width = USUAL_WIDTH, onCancel = () => {}, onLeave, ...props }: Props) {
  const [dialog, setDialog] = useState<HTMLElement | null>(null)
  const [asking, setAsking] = useState(false)
  const opener = useRef(document.activeElement)
  const typed = useTyped()
  useEffect(() => {
    // Ant Design leaves it there once it is within
    if (!inField()) focusFirst(dialog?.querySelector('.ant-modal-body'), dialog?.querySelector('.ant-modal-footer'))
  }, [dialog])
  useEffect(() => {
    const from = opener.current
    return () => queueMicrotask(() => giveBack(from)) // once the dialog has left the page
  }, [])
  const close = (by: EventTarget) => {
    if (by instanceof Element && by.closest('.ant-modal-footer')) onCancel()
    else if (onLeave) onLeave()
    else if (typed.any()) setAsking(true)
    else onCancel()
  }
  return (
    <>
      <AntModal
        {...props}
        width={`${width / USUAL_LETTERS}rem`}
        onCancel={({ target }) => close(target)}
        modalRender={(content) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: what takes the focus lies inside
          <div ref={setDialog} onFocus={typed.note}>
            {content}
          </div>
        )}
      />
      {asking && <Question onBack={() => setAsking(false)} onDiscard={onCancel} />}
    </>
  )
}

function Question({ onBack, onDiscard }: { onBack(): void; onDiscard(): void }) {
  const { t } = useTranslation('shell')
  return (
    <Modal
      open
      width={QUESTION_WIDTH}
      title={t('typed-title')}
      onCancel={onBack}
      footer={
        <>
          <Button onClick={onBack}>{t('keep-typing')}</Button>
          <Button danger onClick={onDiscard}>
            {t('discard-draft')}
          </Button>
        </>
      }
    >
      {t('typed-text')}
    </Modal>
  )
}
