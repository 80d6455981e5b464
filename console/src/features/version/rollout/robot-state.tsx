/** How far a robot of a roll-out is: a shape and a word, and why. */
import { useTranslation } from '@/shared/i18n/text'
import { StateMark } from '@/shared/marks/state-mark'
import { Row } from '@/shared/ui/layout'
import { Why } from '@/widgets/why'
import type { RolloutRobot } from '../rows'

/** Shape and word of each state. */
export const ROBOT_STATES = {
  waiting: ['paused', 'rollout:robot-waiting'],
  downloading: ['moving', 'rollout:robot-downloading'],
  verifying: ['moving', 'rollout:robot-verifying'],
  installing: ['moving', 'rollout:robot-installing'],
  restarting: ['moving', 'rollout:robot-restarting'],
  confirmed: ['done', 'rollout:robot-confirmed'],
  fell_back: ['warning', 'rollout:robot-fell_back'],
  failed: ['warning', 'common:failed'],
  cancelled: ['offline', 'common:cancelled'],
} as const

export function RobotState({ robot }: { robot: RolloutRobot }) {
  const { t } = useTranslation('rollout')
  const [shape, word] = ROBOT_STATES[robot.state]
  return (
    <Row as="span" inline wrap gap="s" lines="xxs" align="center">
      <StateMark state={shape} size={15} />
      {t(word)}
      <Why reason={robot.reason} />
    </Row>
  )
}
