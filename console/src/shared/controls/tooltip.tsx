/** A word beside a mark, while the pointer or the focus is on it; for those who see. The mark has its own label. */
import { type ReactNode, useRef, useState } from 'react'
import { Floating } from './floating'
import styles from './tooltip.module.css'

export function Tooltip({ title, children }: { title: string; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const mark = useRef<HTMLSpanElement>(null)
  const close = () => setOpen(false)
  const show = () => setOpen(true)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what takes the focus lies inside
    <span ref={mark} className={styles.mark} onPointerEnter={show} onPointerLeave={close} onFocus={show} onBlur={close}>
      {children}
      {open && (
        <Floating
          aria-hidden="true"
          className={styles.tooltip ?? ''}
          anchor={() => mark.current?.getBoundingClientRect()}
          opener={mark}
          place="beside"
          onClose={close}
        >
          {title}
        </Floating>
      )}
    </span>
  )
}
