import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Toasts } from '@/shared/controls/toasts'
import { connectLive } from '@/widgets/testing/test-live'
import { stage } from '@/widgets/testing/test-stage'
import { chooseAlarms, useAlarmChoice } from './alarm-choice'
import { Alarms } from './alarms'

let tones = 0
const node = () => ({ connect: (to: unknown) => to })

/** A loudspeaker that counts the tones. */
class Speaker {
  readonly currentTime = 0
  readonly destination = node()
  resume = async () => undefined
  createGain = () => ({ ...node(), gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} } })
  createOscillator = () => ({
    ...node(),
    frequency: { value: 0 },
    start: () => {
      tones += 1
    },
    stop() {},
  })
}

const open = (count: number, newest = count) => ({
  ...{ count, newest },
  list: [{ warnId: newest, content: 'Stuck', deviceCode: 'Kestrel 1' }],
})

beforeEach(() => {
  localStorage.clear()
  tones = 0
  useAlarmChoice.setState({ visible: false, sound: false })
})
afterEach(() => vi.unstubAllGlobals())

const Screen = () => (
  <>
    <Alarms />
    <Toasts />
  </>
)

const TONES = 2 // of one alarm

const show = (answer: () => unknown, keys = ['index/realWarn']) => {
  vi.stubGlobal('AudioContext', Speaker)
  return stage(Screen, { at: '/index', keys, answers: { '/warn/listUnProcess': answer } })
}

const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name })

test.each([
  [99, '99'],
  [150, '99+'],
])('[rule.badge.cap, feat.header.alarms] of %s open alarms the badge shows %s', async (count, text) => {
  await show(() => open(count))
  expect(await screen.findByText(text)).toBeTruthy()
})

test('[state.alarm_sound, state.alarm_sound.hidden, state.alarm_sound.t01, state.alarm_sound.shown_silent] alarms are hidden at first; shown, they have no sound yet', async () => {
  await show(() => open(1))
  expect((await box('Show alarms')).checked).toBe(false)
  expect((await box('Play alarm sound')).disabled).toBe(true)
  await userEvent.click(await box('Show alarms'))
  expect((await box('Play alarm sound')).disabled).toBe(false)
  expect((await box('Play alarm sound')).checked).toBe(false)
  expect(JSON.parse(localStorage.getItem('alarms') ?? '')).toEqual({ visible: true, sound: false })
})

/** The answer grows as an alarm is raised; what became stale is read anew. */
async function raised(choice: { visible: boolean; sound: boolean }) {
  useAlarmChoice.setState(choice)
  const server = await connectLive()
  let newest = 1
  const { of } = await show(() => open(1, newest))
  await waitFor(() => expect(of('/warn/listUnProcess')).toHaveLength(1))
  await screen.findByRole('link', { name: 'Live alarms: 1' })
  newest = 2
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  server.stale('warn')
  await waitFor(() => expect(of('/warn/listUnProcess')).toHaveLength(2))
  server.close()
}

test('[state.alarm_sound.t02, state.alarm_sound.shown_with_sound] show a new alarm and play its sound once', async () => {
  await raised({ visible: true, sound: true })
  await screen.findByText('Stuck · Kestrel 1')
  expect(tones).toBe(TONES)
})

test('[rule.sound.dependent, state.alarm_sound.t03] play no sound while hidden, and keep the choice of sound', async () => {
  await raised({ visible: false, sound: true })
  expect(screen.queryByText('Stuck · Kestrel 1')).toBeNull()
  expect(tones).toBe(0)
  chooseAlarms({ visible: false })
  expect((await box('Play alarm sound')).checked).toBe(true)
})

test('[err.text.audio_blocked] until the page is touched, it says that sound waits for that', async () => {
  useAlarmChoice.setState({ visible: true, sound: true })
  await show(() => open(1))
  await screen.findByText('Click the page to turn on sound')
  await userEvent.click(document.body)
  await waitFor(() => expect(screen.queryByText('Click the page to turn on sound')).toBeNull())
})

test('show no alarms in the header without the right', async () => {
  await show(() => open(1), [])
  expect(screen.queryByRole('link', { name: /Live alarms/ })).toBeNull()
})
