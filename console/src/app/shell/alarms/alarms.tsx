/** The header's alarms: how many are open, and whether new ones are shown and have a sound. */
import { IconBell, IconEye, IconVolume } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useTranslation } from '@/shared/i18n/text'
import { useMay } from '@/shared/session/session'
import styles from '../header.module.css'
import { Count, useCountText } from '../unread'
import { chooseAlarms, hears, useAlarmChoice } from './alarm-choice'
import { LIVE_ALARMS, useNewAlarms } from './use-new-alarms'

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const

/** Browsers play no sound before the first touch of the page. */
function useTouched() {
  const [touched, setTouched] = useState(() => navigator.userActivation?.hasBeenActive ?? false)
  useEffect(() => {
    const touch = () => setTouched(true)
    const once = { once: true, capture: true }
    document.addEventListener('pointerdown', touch, once)
    document.addEventListener('keydown', touch, once)
    return () => {
      document.removeEventListener('pointerdown', touch, once)
      document.removeEventListener('keydown', touch, once)
    }
  }, [])
  return touched
}

export function Alarms() {
  const may = useMay('index/realWarn')
  return may && <OpenAlarms />
}

function OpenAlarms() {
  const { t } = useTranslation('common')
  const choice = useAlarmChoice()
  const touched = useTouched()
  const count = useNewAlarms(true)
  const text = useCountText()
  const label = `${t('live-alarms')}: ${count > 0 ? text(count) : t('empty-alarms')}`
  return (
    <>
      {hears(choice) && !touched && (
        <span role="status" className={styles.hint} title={t('touch-for-sound')}>
          {t('touch-for-sound')}
        </span>
      )}
      <Choice label={t('show-alarms')} on={choice.visible} onChange={(visible) => chooseAlarms({ visible })}>
        <IconEye {...ICON} />
      </Choice>
      <Choice
        label={t('play-alarm-sound')}
        on={choice.sound}
        disabled={!choice.visible}
        onChange={(sound) => chooseAlarms({ sound })}
      >
        <IconVolume {...ICON} />
      </Choice>
      <Link to={LIVE_ALARMS} className={`${styles.icon} ${styles.bell}`} aria-label={label} title={label}>
        <IconBell {...ICON} />
        {count > 0 && <Count count={count} />}
      </Link>
    </>
  )
}

interface ChoiceProps {
  label: string
  on: boolean
  disabled?: boolean
  /** Stands for the words where there is no room for them. */
  children: ReactNode
  onChange(on: boolean): void
}

const Choice = ({ label, on, disabled = false, children, onChange }: ChoiceProps) => (
  <label className={styles.choice} title={label} data-off={disabled || undefined}>
    <input
      type="checkbox"
      checked={on}
      disabled={disabled}
      aria-label={label}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span>{label}</span>
    {children}
  </label>
)
