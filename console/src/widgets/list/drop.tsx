/** A button and what drops below it; Escape, a press elsewhere or leaving it by Tab closes it. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import styles from './list.module.css'

interface Props {
  label: ReactNode
  /** Whatever it holds may close it. */
  children(close: () => void): ReactNode
}

export function Drop({ label, children }: Props) {
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!open) return
    const leave = (event: Event) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) setOpen(false)
    }
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    addEventListener('pointerdown', leave)
    addEventListener('focusin', leave)
    addEventListener('keydown', press)
    return () => {
      removeEventListener('pointerdown', leave)
      removeEventListener('focusin', leave)
      removeEventListener('keydown', press)
    }
  }, [open])
  return (
    <div ref={box} className={styles.drop}>
      <button ref={button} type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        {label}
      </button>
      {open && <div className={styles.sheet}>{children(() => setOpen(false))}</div>}
    </div>
  )
}
