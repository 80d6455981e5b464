/** What a person can make the robot do here. Each is followed until the robot's own state shows it; refusals are said. */
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { command, type Order } from '@/shared/relay/life'
import { notice } from '@/shared/ui/notice'
import { useRefusalText } from '@/widgets/refusal-text'

export function useDeeds(deviceId: number, mapName: string) {
  const { t } = useTranslation('control')
  const text = useRefusalText()
  const send = async (order: Order): Promise<boolean> => {
    try {
      await command(deviceId, order)
      return true
    } catch (error) {
      const why = text(error)
      if (why) notice('error', `${order.label}: ${why}`)
      return false
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: `send` and the texts change with the language alone
  return useMemo(
    () => ({
      send,
      start: (name: string) =>
        send({
          command: 'task_start',
          payload: { name, map_name: mapName },
          label: t('start-named', { name }),
          confirms: (row) => row.run !== '',
        }),
      pause: () => send({ command: 'task_pause', label: t('pause'), confirms: (row) => row.mode === 'paused' }),
      resume: () =>
        send({
          command: 'task_resume',
          label: t('resume'),
          confirms: (row) => row.mode === 'cleaning' || row.mode === 'moving',
        }),
      cancel: () => send({ command: 'task_cancel', label: t('stop-task'), confirms: (row) => row.run === '' }),
      home: () =>
        send({
          command: 'go_home',
          label: t('to-charger'),
          confirms: (row) => row.mode === 'moving' || row.mode === 'charging',
        }),
      emergencyStop: () =>
        send({
          command: 'robot_safe',
          payload: { robot_safe: 1 },
          label: t('emergency-stop'),
          confirms: (row) => row.mode === 'emergency',
        }),
      releaseStop: () =>
        send({
          command: 'emergency_off',
          label: t('release-emergency-stop'),
          confirms: (row) => row.mode !== 'emergency',
        }),
      load: (name: string) =>
        send({
          command: 'map_load',
          payload: { name },
          label: t('load-named', { name }),
          confirms: (row) => row.mapName === name,
        }),
    }),
    [deviceId, mapName, t],
  )
}

export type Deeds = ReturnType<typeof useDeeds>
