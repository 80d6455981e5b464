/**
 * A mark that stands for a robot: its card opens under a resting pointer, a press, or the focus of the keyboard, and stays
 * while the pointer is over it.
 */
import { type ButtonHTMLAttributes, useEffect, useRef, useState } from 'react'
import { Floating } from '@/shared/controls/floating'
import { RobotCard } from './robot-card'
import styles from './robot-card.module.css'

const RESTS_MS = 200 // until a pointer that passes by has passed
const LEAVES_MS = 300 // the way from the mark to the card

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  deviceId: number
  /** Its name and state: the mark says nothing to a screen reader. */
  label: string
}

export function RobotButton({ deviceId, label, onClick, ...button }: Props) {
  const [open, setOpen] = useState(false)
  const opener = useRef<HTMLSpanElement>(null)
  const mark = useRef<HTMLButtonElement>(null)
  const timer = useRef(0)
  const soon = (show: boolean) => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setOpen(show), show ? RESTS_MS : LEAVES_MS)
  }
  const hover = {
    onPointerEnter: ({ pointerType }: React.PointerEvent) => pointerType === 'mouse' && soon(true),
    onPointerLeave: ({ pointerType }: React.PointerEvent) => pointerType === 'mouse' && soon(false),
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <span ref={opener} className={styles.opener} {...hover}>
      <button
        {...button}
        ref={mark}
        type="button"
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={open}
        onFocus={({ target }) => target.matches(':focus-visible') && setOpen(true)}
        onClick={(event) => {
          clearTimeout(timer.current)
          setOpen(true)
          onClick?.(event)
        }}
      />
      {open && (
        <Floating
          role="dialog"
          aria-label={label}
          dir={document.documentElement.dir} // floors do not mirror, what is said of them does
          className={styles.box ?? ''}
          anchor={() => mark.current?.getBoundingClientRect()}
          opener={opener}
          onClose={() => {
            clearTimeout(timer.current)
            setOpen(false)
          }}
        >
          <RobotCard deviceId={deviceId} />
        </Floating>
      )}
    </span>
  )
}
