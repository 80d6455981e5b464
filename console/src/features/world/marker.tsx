/** One robot, or several that stand together: the mark of the state that needs somebody most, and how many they are. */

import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { MODES } from '@/shared/live/telemetry'
import { MODE_TONE, MODE_WORD } from '@/shared/marks/mode'
import { StateMark } from '@/shared/marks/state-mark'
import { RobotButton } from '@/widgets/robot/robot-button'
import { type Spot, worst } from './places'
import styles from './world.module.css'

interface Props {
  spot: Spot
  name: string | undefined
  onChoose(): void
}

export function Marker({ spot, name, onChoose }: Props) {
  const { t } = useTranslation('world')
  const { number, list } = useFormats()
  const mode = worst(spot.counts)
  const states = MODES.flatMap((mode) => {
    const count = spot.counts[mode]
    return count ? [`${t(MODE_WORD[mode])} ${number(count)}`] : []
  })
  const label = name ? `${name}: ${t(MODE_WORD[mode])}` : `${t('count-robots', { count: spot.count })}: ${list(states)}`
  const look = {
    className: styles.marker,
    style: { borderColor: `var(--state-${MODE_TONE[mode]})` },
    onClick: onChoose,
  }
  if (spot.robot !== undefined)
    return (
      <RobotButton {...look} deviceId={spot.robot} label={label}>
        <StateMark state={mode} size={18} />
      </RobotButton>
    )
  return (
    <button {...look} type="button" aria-label={label} title={label}>
      <StateMark state={mode} size={18} />
      <b>{number(spot.count)}</b>
    </button>
  )
}
