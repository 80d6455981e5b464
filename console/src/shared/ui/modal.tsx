/**
 * Ant Design's dialog, which gives the focus to its first field or else to the button that changes nothing, and when it
 * goes back to where it came from: a person at the keyboard goes on where they were.
 */
// biome-ignore lint/style/noRestrictedImports: this is the one that gives the focus
import { Modal as AntModal, type ModalProps } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { USUAL_LETTERS } from '../theme/tokens'
import { focusFirst, giveBack, inField } from './dialog-focus'

interface Props extends Omit<ModalProps, 'modalRender' | 'width'> {
  /** px of the look. */
  width?: number
}

const USUAL_WIDTH = 520

export function Modal({ width = USUAL_WIDTH, ...props }: Props) {
  const [dialog, setDialog] = useState<HTMLElement | null>(null)
  const opener = useRef(document.activeElement)
  useEffect(() => {
    // Ant Design leaves it there once it is within
    if (!inField()) focusFirst(dialog?.querySelector('.ant-modal-body'), dialog?.querySelector('.ant-modal-footer'))
  }, [dialog])
  useEffect(() => {
    const from = opener.current
    return () => queueMicrotask(() => giveBack(from)) // once the dialog has left the page
  }, [])
  return (
    <AntModal
      {...props}
      width={`${width / USUAL_LETTERS}rem`}
      modalRender={(content) => <div ref={setDialog}>{content}</div>}
    />
  )
}
