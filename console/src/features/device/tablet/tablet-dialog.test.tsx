import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { forgetGrant } from '@/shared/relay/relay'
import { TILES } from '@/widgets/tablet/look'
import { stage } from '@/widgets/testing/test-stage'
import type { TabletScreen } from './copy'
import { TabletDialog } from './tablet-dialog'

const RELAY = 'http://relay'
const GRANT = { url: RELAY, port: 7, protocol: 3, grant: 'g', expiresAt: Date.now() + 60_000, number: 0 }
const LOGO = 'a'.repeat(64)
const HOME = {
  ...{
    code: 0,
    msg: '',
    at: 1,
    shows: 'home',
    language: 'ar',
    mode: 'cleaning',
    battery: 80,
    task: 'Hall',
    progress: 0.5,
  },
  ...{ text: null, alarms: [], report: null, revision: 3, theme_color: '#6B3FA0', about_us: 'We clean.' },
  ...{ main_logo: LOGO, boot_animation: '', idle_animation: '', home_tiles: TILES.map(() => LOGO) },
} as const satisfies TabletScreen

beforeEach(() => forgetGrant(1))

const show = (answer: TabletScreen | Response) =>
  stage(() => <TabletDialog deviceId={1} name="Kestrel 1" onClose={() => {}} />, {
    at: '/device/info',
    answers: {
      '/device/relayGrant': GRANT,
      [`${RELAY}/?m=api1/tablet_screen&p=7`]: () => (answer instanceof Response ? answer : Response.json(answer)),
      [`${RELAY}/?m=api1/tablet_picture&p=7`]: () =>
        Response.json({ code: 0, msg: '', url: 'data:image/png;base64,AA' }),
    },
  })

test('the copy shows the look, the state and the task that the robot names', async () => {
  await show(HOME)
  const tablet = await screen.findByRole('img', { name: 'Tablet screen: Home' })
  expect(tablet.textContent).toContain('Cleaning · 80%')
  expect(tablet.textContent).toContain('Hall · 50%')
  expect(tablet.textContent).toContain('Return to charge')
  expect(tablet.textContent).not.toContain('Main logo')
  const pictures = () => [...tablet.querySelectorAll('image')].map((image) => image.getAttribute('href'))
  await expect.poll(pictures).toEqual(['data:image/png;base64,AA', ...TILES.map(() => 'data:image/png;base64,AA')])
  screen.getByText('العربية')
  screen.getByText('Dealer’s branding')
})

test.each([
  [{ shows: 'speech', text: { title: '', text: 'Bitte warten.', language: 'de', since: 1 } }, 'Bitte warten.'],
  [{ shows: 'alarms', alarms: [{ code: '0x0470', since: 1 }] }, '0x0470'],
  [{ shows: 'report' }, 'No task has run'],
] as const)('read what lies over the page in the copy too', async (over, words) => {
  await show({ ...HOME, ...over } as TabletScreen)
  expect((await screen.findByRole('img', { name: /^Tablet screen/ })).textContent).toContain(words)
})

test('say that a robot does not answer', async () => {
  await show(Response.json({ code: 502, msg: '', reason: 'robot_unreachable' }))
  await screen.findByRole('alert')
})
