/**
 * Where the short messages of `notice` are shown: above all else, read out, each for its time, which begins with the frame
 * that shows it: in a tab that nobody looks at, none is over before it was seen.
 */
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { NOTICE_MS, type Notice, onNotice } from '../ui/notice'
import { Button } from './button'
import styles from './toasts.module.css'

const MARKS = { error: IconAlertTriangle, info: IconInfoCircle, success: IconCircleCheck }

interface Toast extends Notice {
  readonly id: number
}

export function Toasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let count = 0
    return onNotice((message) => {
      const id = ++count
      setToasts((all) => [...all, { ...message, id }])
      const remove = () => setToasts((all) => all.filter((toast) => toast.id !== id))
      requestAnimationFrame(() => setTimeout(remove, NOTICE_MS))
    })
  }, [])
  // Each message comes above the dialogs of before.
  useEffect(() => {
    const element = box.current
    if (!element?.showPopover) return
    if (element.matches(':popover-open')) element.hidePopover()
    if (toasts.length > 0) element.showPopover()
  }, [toasts])
  return (
    <div ref={box} popover="manual" className={styles.toasts} aria-live="polite">
      {toasts.map(({ id, kind, text, undo }) => {
        const Mark = MARKS[kind]
        return (
          <div key={id} role={kind === 'error' ? 'alert' : 'status'} className={styles.toast} data-kind={kind}>
            <Mark size={16} stroke={1.75} aria-hidden="true" />
            <span>{text}</span>
            {undo && (
              <Button
                size="small"
                onClick={() => {
                  setToasts((all) => all.filter((toast) => toast.id !== id))
                  undo.run()
                }}
              >
                {undo.label}
              </Button>
            )}
          </div>
        )
      })}
    </div>
  )
}
