/** Tasks whose route the robot still plans, and those for which it found none. */
import { useEffect } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useRobotPart } from '@/shared/live/live'
import { RelayRefusal } from '@/shared/relay/relay'
import { Text } from '@/shared/ui/layout'
import { useRefusalText } from '../refusal-text'
import type { RobotTask } from './robot-task'

/** Reads the tasks anew when the robot has planned what it had to. */
export function useAfterPlanning(deviceId: number, { rows, refetch }: Tasks) {
  const planning = useRobotPart(deviceId, (row) => row.planning)
  const waits = planning === 0 && rows?.some((task) => task.planning)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `refetch` is another one each time
  useEffect(() => {
    if (waits) void refetch()
  }, [waits])
}

interface Tasks {
  rows: readonly RobotTask[] | undefined
  refetch(): unknown
}

/** Nothing where the route is known. */
export function PlanningNote({ task }: { task: RobotTask }) {
  const { t } = useTranslation('taskform')
  const why = useRefusalText()
  if (task.planning)
    return (
      <Text as="span" size="small" tone="soft" role="status">
        {t('planning-way')}
      </Text>
    )
  if (!task.reason) return null
  return (
    <Text as="span" size="small" tone="help">
      {t('path-generation-failed', { why: why(new RelayRefusal(0, '', task.reason, '')) ?? '' })}
    </Text>
  )
}
