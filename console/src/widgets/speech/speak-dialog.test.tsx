import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetGrant } from '@/shared/relay/relay'
import { CODE } from '@/shared/rpc/codes'
import { stage } from '../testing/test-stage'
import { SpeakDialog } from './speak-dialog'

const RELAY = 'http://relay'
const SPEAK = `${RELAY}/?m=api1/robot_speak&p=7`
const LISTEN = '/tencent/ttsUrl'
const GRANT = { url: RELAY, port: 7, protocol: 3, grant: 'g', expiresAt: Date.now() + 60_000, number: 0 }
const SOUND = () => new Response('sound', { headers: { 'Content-Type': 'audio/wav' } })
const play = vi.fn<() => Promise<void>>()

beforeEach(() => {
  forgetGrant(1)
  play.mockReset()
  play.mockResolvedValue()
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(play)
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockReturnValue()
  Object.assign(URL, { createObjectURL: () => 'blob:sound', revokeObjectURL: () => {} })
})
afterEach(() => vi.unstubAllGlobals())

const show = (answers: Record<string, unknown>, blocked = '') =>
  stage(() => <SpeakDialog deviceId={1} name="Kestrel 1" blocked={blocked} onClose={() => {}} />, {
    at: '/device/index',
    answers: { '/device/relayGrant': GRANT, ...answers },
  })
const type = async (text: string) => userEvent.type(await screen.findByLabelText(/Text to say/), text)
const press = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name: new RegExp(`${name}$`) })) // while it is busy its mark has a name, too

test('play typed text by a form to the server', async () => {
  const { of } = await show({ [LISTEN]: SOUND })
  await type('Please wait')
  await press('Listen here')
  await waitFor(() => expect(play).toHaveBeenCalledOnce())
  expect(of(LISTEN).at(-1)?.payload).toMatchObject({ content: 'Please wait', language: 'en' })
})

test('say that a browser plays nothing, and that a server has no voice', async () => {
  play.mockRejectedValue(new Error('not allowed'))
  let answer = SOUND
  await show({ [LISTEN]: () => answer() })
  await type('Please wait')
  await press('Listen here')
  await screen.findByText(/did not play the sound/)
  answer = () => Response.json({ message: { code: CODE.SPEECH_OFF, message: 'This server has no voice' }, data: null })
  await press('Listen here')
  await screen.findByText('This server has no voice')
})

test.each([
  [true, 'The robot is speaking'],
  [false, /only shown on its tablet/],
])('the robot says it, or only shows it where its voice is off: %s', async (spoken, text) => {
  const { of } = await show({ [SPEAK]: () => Response.json({ code: 0, msg: '', spoken, volume: 5 }) })
  await type('Please wait')
  await press('Speak on the robot')
  await screen.findByText(text)
  expect(of(SPEAK).at(-1)?.payload).toEqual({ text: 'Please wait', language: 'en', volume: 5 })
})

test('in its quiet hours the robot refuses, with why', async () => {
  await show({ [SPEAK]: () => Response.json({ code: 409, msg: '', reason: 'speech_quiet' }) })
  await type('Please wait')
  await press('Speak on the robot')
  await screen.findByText(/quiet hours of its map/)
})

test('send nothing without a text, nor to a robot out of reach', async () => {
  await show({}, 'Cannot reach the robot')
  expect((await screen.findByRole('button', { name: 'Listen here' })).hasAttribute('disabled')).toBe(true)
  await type('Please wait')
  expect(screen.getByRole('button', { name: 'Listen here' }).hasAttribute('disabled')).toBe(false)
  const speak = screen.getByRole('button', { name: 'Speak on the robot' })
  expect([speak.hasAttribute('disabled'), speak.title]).toEqual([true, 'Cannot reach the robot'])
})
