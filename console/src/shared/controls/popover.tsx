/** A button, and what floats beside it while it is open: a short form, a list of choices. */
import { type ReactNode, useRef, useState } from 'react'
import { Button, type ButtonProps } from './button'
import { Floating } from './floating'
import styles from './popover.module.css'

interface Props extends Omit<ButtonProps, 'content' | 'onClick'> {
  /** Drawn while it is open. */
  readonly content: (close: () => void) => ReactNode
  readonly place?: 'below' | 'below-end'
}

export function Popover({ content, place = 'below', ...button }: Props) {
  const [open, setOpen] = useState(false)
  const opener = useRef<HTMLSpanElement>(null)
  const close = () => setOpen(false)
  return (
    <span ref={opener} className={styles.opener}>
      <Button {...button} aria-expanded={open} aria-haspopup="dialog" onClick={() => setOpen(!open)} />
      {open && (
        <Floating
          role="dialog"
          aria-label={button['aria-label']}
          className={styles.popover ?? ''}
          anchor={() => opener.current?.getBoundingClientRect()}
          opener={opener}
          place={place}
          onClose={close}
        >
          {content(close)}
        </Floating>
      )}
    </span>
  )
}
