/** What a person can make the robot do here. Each is followed until the robot's own state shows it; refusals are said. */
import { useMemo } from 'react'
import type { Box, Pose } from '@/canvas/geometry/geometry'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Command, CommandAnswer } from '@/shared/relay/contract'
import { command, type Order } from '@/shared/relay/life'
import { API1_SINCE } from '@/shared/relay/relay'
import { notice } from '@/shared/ui/notice'
import { useAttempt } from '@/widgets/form/use-attempt'
import { useRefusalText } from '@/widgets/refusal-text'

const round = (metres: number) => Math.round(metres * 1000) / 1000

export function useRobotActions(deviceId: number, protocol: number, mapName: string) {
  const { t } = useTranslation('control')
  const { list } = useFormats()
  const { run } = useAttempt()
  const refusalText = useRefusalText()
  /** The robot's answer; undefined when it was refused, which has been said. */
  const send = <C extends Command>(order: Order<C>, failed = order.label): Promise<CommandAnswer<C> | undefined> =>
    run(
      () => command(deviceId, order),
      () => {},
      (why) => why && notice('error', `${failed}: ${why}`),
    )
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
      /** This task ends here; what waits behind it goes on. */
      endThis: (name: string) =>
        send(
          {
            command: 'task_cancel_one',
            payload: { name },
            label: t('stop-task'),
            confirms: (row) => row.taskName !== name,
          },
          t('robot:end-failed'),
        ),
      /** This task and all that waits behind it. */
      endAll: () =>
        send(
          { command: 'task_cancel', label: t('stop-task'), confirms: (row) => row.run === '' },
          t('robot:end-failed'),
        ),
      home: () =>
        send({
          command: 'go_home',
          label: t('robot:to-charger'),
          confirms: (row) => row.mode === 'moving' || row.mode === 'charging',
        }),
      cancelDrive: () =>
        send({ command: 'cancel_go_home', label: t('cancel-drive'), confirms: (row) => row.mode !== 'moving' }),
      leaveDock: () => send({ command: 'docker_back', label: t('leave-dock'), confirms: (row) => !row.charging }),
      goTo: ({ x, y, yaw }: Pose) =>
        send({
          command: 'point_moveto',
          payload: { x: round(x), y: round(y), yaw: round(yaw) },
          label: t('go-to-point'),
          confirms: (row) => row.mode === 'moving',
        }),
      emergencyStop: () =>
        send({
          command: 'robot_safe',
          payload: { robot_safe: 1 },
          label: t('emergency-stop'),
          confirms: (row) => row.mode === 'emergency',
          onRetry: (why) =>
            notice('error', `${t('emergency-stop')}: ${t('command-retrying', { why: refusalText(why) ?? '' })}`),
        }),
      releaseStop: () =>
        send({
          ...(protocol >= API1_SINCE
            ? { command: 'emergency_off' as const }
            : { command: 'robot_safe' as const, payload: { robot_safe: 0 } }),
          label: t('release-emergency-stop'),
          confirms: (row) => row.mode !== 'emergency',
        }),
      brake: (on: boolean) =>
        send({
          command: 'robot_lock',
          payload: { lock: on ? 1 : 0 },
          label: t(on ? 'set-brake' : 'release-brake'),
          confirms: (row) => row.banners.includes('brake') === on,
        }),
      byHand: (on: boolean) =>
        send({
          command: 'hand_mode',
          payload: { mode: on ? 1 : 0 },
          label: t(on ? 'drive-by-hand' : 'end-driving'),
          confirms: (row) => (row.mode === 'manual') === on,
        }),
      findIn: ({ left, bottom, right, top }: Box) =>
        send({
          command: 'recover_localization',
          payload: { x: round(left), y: round(bottom), w: round(right - left), h: round(top - bottom) },
          label: t('relocalise-window'),
        }),
      findAt: (point: string) =>
        send({ command: 'relocation_point', payload: { point }, label: t('relocalise-at', { name: point }) }),
      find: () => send({ command: 'relocation_start', label: t('relocalise-everywhere') }),
      moveDock: () => send({ command: 'docker_relocation', label: t('move-dock') }),
      openLine: () =>
        send({
          command: 'serial_control',
          payload: { isStart: true },
          label: t('open-line'),
          confirms: (row) => !row.banners.includes('serial_error'),
        }),
      load: (name: string, ends: string) =>
        send({
          command: 'map_load',
          payload: { name, ends },
          label: t('load-named', { name }),
          confirms: (row) => row.mapName === name,
        }),
      clearNoise: (name: string) =>
        send({ command: 'map_clear_noise', payload: { map_name: name }, label: t('clear-noise') }),
      saveMap: async (name: string) => {
        const answer = await send({
          command: 'map_save',
          payload: { name },
          label: t('save-named', { name }),
          confirms: (row) => row.mapName === name,
        })
        const left = answer?.left ?? []
        if (left.length > 0) {
          const names = list(left.map((task) => task.name || t('unnamed')))
          notice('info', t('left-behind', { count: left.length, names }))
        }
        return answer
      },
      cancelMap: () => send({ command: 'cancel_map_builiding', label: t('cancel-map') }),
    }),
    [deviceId, protocol, mapName, t],
  )
}

export type RobotActions = ReturnType<typeof useRobotActions>
