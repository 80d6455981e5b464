import { expect, test } from 'vitest'
import type { Mode } from '@/shared/live/frames'
import { needy, oldestFirst } from './needs'

const robot = (deviceCode: string, mode: Mode, modeSince: number | null) => ({ deviceCode, mode, modeSince })

test('[route.index] help, emergency stop and pause need somebody, nothing else does', () => {
  const modes: Mode[] = ['help', 'emergency', 'paused', 'manual', 'cleaning', 'charging', 'idle', 'offline']
  expect(modes.filter(needy)).toEqual(['help', 'emergency', 'paused'])
})

test('[route.index] list who waits longest first, then by state and name', () => {
  const waiting = [
    robot('B', 'paused', null),
    robot('A', 'paused', 200),
    robot('C', 'help', null),
    robot('D', 'help', 300),
    robot('A2', 'paused', null),
  ]
  expect(waiting.sort(oldestFirst).map((r) => r.deviceCode)).toEqual(['A', 'D', 'C', 'A2', 'B'])
})
