import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { refusal, stage } from '@/widgets/testing/test-stage'
import { SpotChecksScreen } from './checks-screen'
import { GradeScreen } from './grade-screen'
import { SheetsScreen } from './sheets-screen'

const AT = '/device/spotCheck/grade?map=7&room=lobby'
const KEYS = ['device/spotCheck', 'device/spotCheck/grade', 'device/spotCheck/delete', 'device/report']
const RUN = { taskReportId: 12, endTime: '2026-11-24T08:00:00Z', coverage: 944 }
const PLACE = { building: 'Kestrel', floor: '1', mapName: 'Ground' }
const ZONE = { room: 'lobby', name: 'Lobby', ...PLACE, run: RUN }
const CHECK = {
  ...{
    id: 3,
    mapId: 7,
    room: '',
    name: '',
    ...PLACE,
    items: { floor: 4, dust: 2 },
    score: 3,
    note: 'Dust by the door',
  },
  ...{ hasPhoto: false, inspector: 'Mia', time: '2026-11-24T09:00:00Z', day: '2026-11-24', run: RUN, ours: true },
}

beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

const grading = (answers: Record<string, unknown> = {}, at = AT) =>
  stage(GradeScreen, { at, keys: KEYS, answers: { '/spotCheck/zone': ZONE, ...answers } })

test('a zone is graded beside what the last run swept of it', async () => {
  const { of } = await grading({ '/spotCheck/insertSpotCheck': { id: 1 } })
  expect(await screen.findByText(/The last run swept 94.4/)).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Grade at least one item' }).disabled).toBe(true)
  await userEvent.click(screen.getAllByRole('button', { name: '4: Good' })[0] as HTMLElement)
  await userEvent.click(screen.getAllByRole('button', { name: '5: Excellent' })[2] as HTMLElement)
  await userEvent.click(screen.getByRole('button', { name: 'Save grades' }))
  expect((await screen.findByRole('status')).textContent).toContain('4.5')
  expect(of('/spotCheck/insertSpotCheck')[0]?.payload).toMatchObject({
    ...{ mapId: 7, room: 'lobby', items: { floor: 4, dust: 5 }, note: '', photo: '' },
  })
  await userEvent.click(screen.getByRole('button', { name: 'Grade again' }))
  expect(screen.queryByText(/^Discard/)).toBeNull()
})

test('keep what was entered over a broken connection, and send it under the same ref', async () => {
  const { of } = await grading({ '/spotCheck/insertSpotCheck': () => refusal('Try later') })
  await userEvent.click((await screen.findAllByRole('button', { name: '2: Poor' }))[3] as HTMLElement)
  await userEvent.type(screen.getByRole('textbox', { name: 'Note' }), 'Cups')
  await userEvent.click(screen.getByRole('button', { name: 'Save grades' }))
  expect(await screen.findByText('Try later')).toBeTruthy()
  const ref = of('/spotCheck/insertSpotCheck')[0]?.payload.ref
  document.body.innerHTML = ''
  const again = await grading({ '/spotCheck/insertSpotCheck': { id: 1 } })
  expect((await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Note' })).value).toBe('Cups')
  await userEvent.click(screen.getByRole('button', { name: 'Save grades' }))
  await waitFor(() => expect(again.of('/spotCheck/insertSpotCheck')).toHaveLength(1))
  expect(again.of('/spotCheck/insertSpotCheck')[0]?.payload).toMatchObject({ ref, note: 'Cups', items: { litter: 2 } })
})

test('a sheet whose zone is gone, or that names none, says so', async () => {
  await grading({ '/spotCheck/zone': () => refusal('This zone is gone') })
  expect(await screen.findByText(/This zone is gone/)).toBeTruthy()
  document.body.innerHTML = ''
  await grading({}, '/device/spotCheck/grade?map=x')
  expect(await screen.findByText(/This link names no zone/)).toBeTruthy()
})

test('the list shows grade and machine side by side; who may not delete has no button for it', async () => {
  await stage(SpotChecksScreen, {
    ...{ at: '/device/spotCheck?most=3', keys: ['device/spotCheck'] },
    answers: { '/spotCheck/list': { list: [CHECK], total: 1, pageNum: 1 }, '/device/selectOwnUser': { list: [] } },
  })
  const row = await screen.findByRole('row', { name: /Whole floor/ })
  expect(row.textContent).toMatch(/3.*Fair.*94\.4/)
  expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Show: Whole floor' }))
  expect((await screen.findByRole('dialog')).textContent).toMatch(/Floor surface4 · Good.*DustNot|Dust2 · Poor/)
})

test('each zone that is chosen has a sheet, whose code opens it', async () => {
  await stage(SheetsScreen, {
    ...{ at: '/device/spotCheck/sheets?map=7', keys: KEYS },
    answers: {
      '/map/selectMap': { list: [] },
      '/spotCheck/zones': {
        ...PLACE,
        list: [
          { room: '', name: '' },
          { room: 'lobby', name: 'Lobby' },
        ],
      },
      '/taskReport/letterhead': { letterhead: null, mailbox: false, shown: { logo: '', colour: '#017465' } },
    },
  })
  expect(await screen.findAllByText(/grade\?map=7&room=lobby$/, { ignore: '[aria-hidden] *' })).toHaveLength(1)
  await userEvent.click(screen.getByRole('checkbox', { name: 'Lobby' }))
  expect(screen.queryByText(/room=lobby$/)).toBeNull()
  expect(screen.getByRole('article', { name: 'Whole floor' })).toBeTruthy()
})
