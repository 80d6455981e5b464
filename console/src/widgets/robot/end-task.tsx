/**
 * Ends what a robot works at. It pauses at once, and for five seconds the ending can be taken back; who leaves the page
 * meanwhile has ended it. Where other tasks follow, a menu asks whether they go on.
 */
import { IconSquare } from '@tabler/icons-react'
import { Button, Dropdown } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { live } from '@/shared/live/live'
import { relayCall } from '@/shared/relay/relay'
import { useRobotAnswer } from '@/shared/relay/use-robot-answer'
import { Row } from '@/shared/ui/layout'

const UNDO_S = 5
const SECOND_MS = 1000
const EVERY_MS = 5000

/** Names of the tasks that come after the one that runs. */
export function useFollowing(deviceId: number, run: string, enabled: boolean): readonly string[] {
  const work = useRobotAnswer(deviceId, {
    key: ['task_state', run],
    read: (signal) => relayCall(deviceId, 'task_state', {}, signal),
    enabled: enabled && run !== '',
    everyMs: EVERY_MS,
  })
  return work.data?.follows.map(({ name }) => name) ?? []
}

export interface EndingProps {
  deviceId: number
  run: string
  paused: boolean
  following: readonly string[]
  /** Why not now; '' when it can be. */
  blocked?: string
  size?: 'large'
  pause(): unknown
  /** Missing for who may not make it move. */
  resume?: (() => unknown) | undefined
  /** `all`: what follows ends too. */
  end(all: boolean): unknown
  /** The ending has begun, or is over. */
  onEnding?(ending: boolean): void
}

export function EndTask({ deviceId, run, following, paused, blocked = '', size, ...orders }: EndingProps) {
  const { t } = useTranslation('robot')
  const { span } = useFormats()
  const [left, setLeft] = useState<number>()
  const pending = useRef<() => void>(undefined)
  const wasPaused = useRef(false)

  const begin = (all: boolean) => {
    wasPaused.current = paused
    if (!paused) void orders.pause()
    pending.current = () => {
      pending.current = undefined
      if (live.robot(deviceId)?.row.run === run) void orders.end(all)
    }
    setLeft(UNDO_S)
    orders.onEnding?.(true)
  }
  const close = () => {
    setLeft(undefined)
    orders.onEnding?.(false)
  }
  const undo = () => {
    pending.current = undefined
    close()
    if (!wasPaused.current) void orders.resume?.()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the clock goes on with each second that is left
  useEffect(() => {
    if (left === undefined) return
    const timer = setTimeout(() => {
      if (left > 1) return setLeft(left - 1)
      pending.current?.()
      close()
    }, SECOND_MS)
    return () => clearTimeout(timer)
  }, [left])
  useEffect(() => () => pending.current?.(), [])

  if (left !== undefined)
    return (
      <Row inline gap="m" align="center" role="status">
        {t('ends-in', { time: span(left * SECOND_MS) })}
        <Button autoFocus size={size} type="primary" onClick={undo}>
          {t('undo')}
        </Button>
      </Row>
    )
  const button = (
    <Button
      size={size}
      icon={<IconSquare size={16} />}
      disabled={blocked !== ''}
      title={blocked}
      {...(following.length === 0 && { onClick: () => begin(true) })}
    >
      {t('stop-task')}
    </Button>
  )
  if (following.length === 0) return button
  const items = [
    { key: 'this', label: t('end-this', { next: following[0] ?? '' }) },
    { key: 'all', label: t('end-all', { count: following.length + 1 }) },
  ]
  return (
    <Dropdown
      trigger={['click']}
      disabled={blocked !== ''}
      menu={{ items, onClick: ({ key }) => begin(key === 'all') }}
    >
      {button}
    </Dropdown>
  )
}
