import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { ElevatorsScreen } from './elevators-screen'

const LIVE = {
  ...{ floor: 'floor 1', bound: 'floor 3', door: 'closed', phase: 'moving', holder: 'L1-A', occupant: 'L1-A' },
  ...{ queue: ['L1-B'], trouble: '' },
}
const LIFT = {
  ...{ elevatorId: 4, elevatorName: 'Lift A', code: 'A', buildingName: 'Hotel', buildingAddress: '', contactName: '' },
  ...{ contactPhone: '', groupId: null, size: '', floor: 'floor 1,floor 3', position: '', provider: 0, moduleId: '' },
  ...{ robotId: '', server: '', userId: 1, userName: 'Quay', providerName: '', adapted: true, hasSecret: false },
  ...{ robots: 2, outOfService: false, outReason: '', live: LIVE, updateTime: '2026-01-01T00:00:00Z' },
}
const RIDE = {
  ...{ rideId: 1, deviceCode: 'L1-A', deviceSerialNumber: 'SC0001', fromFloor: 'floor 1', toFloor: 'floor 3' },
  ...{ phase: 'ended', reason: 'lift_stuck', askedAt: '2026-01-01T00:00:00Z', boardedAt: null },
  endedAt: '2026-01-01T00:01:00Z',
}
const at = (elevator: unknown) => ({
  at: '/elevator/index',
  keys: ['elevator/index'],
  answers: {
    '/elevator/list': { list: [elevator], total: 1, pageNum: 1 },
    '/elevator/selectInfoByElevatorId': elevator,
    '/elevator/rides': { list: [RIDE], total: 1, pageNum: 1 },
    '/elevator/setService': {},
    '/elevator/release': {},
  },
})

afterEach(() => vi.unstubAllGlobals())

test('[route.elevator.index] a lift shows where it is, who holds it and who waits', async () => {
  await stage(ElevatorsScreen, at(LIFT))
  const row = (await screen.findAllByRole('row'))[1] as HTMLElement
  for (const text of ['door closed', 'riding', 'L1-B']) expect(row.textContent).toContain(text)
})

test('list an elevator’s rides with their results, and release it with a reason', async () => {
  const { of } = await stage(ElevatorsScreen, at(LIFT))
  await userEvent.click(await screen.findByRole('button', { name: 'Status and rides: Lift A' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByText('The elevator did not arrive')).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Release elevator' }))
  const send = dialog.getByRole('button', { name: 'Release elevator' })
  expect((send as HTMLButtonElement).disabled).toBe(true)
  await userEvent.type(dialog.getByLabelText('Reason'), 'Carried out')
  await userEvent.click(send)
  expect(of('/elevator/release')[0]?.payload).toEqual({ elevatorId: 4, reason: 'Carried out' })
})

test('a lift is taken out of service and put back; one without an adapter says so', async () => {
  const out = { ...LIFT, outOfService: true, outReason: 'Door', adapted: false, providerName: 'Otis' }
  const { of } = await stage(ElevatorsScreen, at(out))
  expect(await screen.findByText('Out of service')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Status and rides: Lift A' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/not supported yet/)).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Put back into service' }))
  await userEvent.type(dialog.getByLabelText('Reason'), 'Mended')
  await userEvent.click(dialog.getByRole('button', { name: 'Put back into service' }))
  expect(of('/elevator/setService')[0]?.payload).toEqual({ elevatorId: 4, out: false, reason: 'Mended' })
})

test('[call.device.selectDeviceByElevatorId] list the robots that ride an elevator for who sees devices', async () => {
  const path = '/device/selectDeviceByElevatorId'
  const { answers, ...rest } = at(LIFT)
  const robots = { list: [{ deviceId: 7, deviceCode: 'Kestrel L1-A' }], total: 1, pageNum: 1 }
  const { of } = await stage(ElevatorsScreen, {
    ...rest,
    keys: ['elevator/index', 'device/index'],
    answers: { ...answers, [path]: robots },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Status and rides: Lift A' }))
  const link = await screen.findByRole('link', { name: 'Kestrel L1-A' })
  expect(link.getAttribute('href')).toBe('/device/info?deviceId=7')
  expect(of(path)[0]?.payload).toEqual({ elevatorId: 4 })
})
