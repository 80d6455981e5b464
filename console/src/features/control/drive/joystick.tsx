/** The stick: held by finger, pen or mouse. It looks the same from right to left, as the robot does. */
import { IconChevronDown, IconChevronLeft, IconChevronRight, IconChevronUp, IconPlus } from '@tabler/icons-react'
import { type PointerEvent, type RefObject, useRef } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import styles from './drive.module.css'
import { clipped, type Driver } from './driver'

interface Props {
  driver: Driver
  disabled: boolean
  /** The knob, which the driver moves past React. */
  knob: RefObject<HTMLSpanElement | null>
}

export function Joystick({ driver, disabled, knob }: Props) {
  const { t } = useTranslation('control')
  const holding = useRef(false)
  const hold = (event: PointerEvent<HTMLButtonElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const x = ((event.clientX - box.left) / box.width) * 2 - 1
    const y = 1 - ((event.clientY - box.top) / box.height) * 2
    driver.hold('stick', clipped({ x, y }))
  }
  const letGo = () => {
    holding.current = false
    driver.letGo('stick')
  }
  return (
    <button
      type="button"
      dir="ltr"
      className={styles.pad}
      disabled={disabled}
      aria-label={t('joystick')}
      aria-describedby="drive-how"
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        holding.current = true
        hold(event)
      }}
      onPointerMove={(event) => holding.current && hold(event)}
      onPointerUp={letGo}
      onPointerCancel={letGo}
      onLostPointerCapture={letGo}
      onContextMenu={(event) => event.preventDefault()} // a long touch holds the stick
    >
      <IconChevronUp size={18} aria-hidden="true" />
      <IconChevronRight size={18} aria-hidden="true" />
      <IconChevronDown size={18} aria-hidden="true" />
      <IconChevronLeft size={18} aria-hidden="true" />
      <span ref={knob} className={styles.knob} aria-hidden="true">
        <IconPlus size={18} stroke={1.5} />
      </span>
    </button>
  )
}
