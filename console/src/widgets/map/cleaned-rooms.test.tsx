/** The rooms of a floor in words, and the one that has waited longest for a robot. */
import { screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '../testing/test-stage'
import { type CleanedRoom, longestUncleaned, RoomList, useCleanedRooms } from './cleaned-rooms'

afterEach(() => vi.unstubAllGlobals())

const room = (name: string, daysAgo: number | null, cleanedToday = 0): CleanedRoom => ({
  ...{ id: name, name, area: 40, cleanedToday, daysAgo },
  cleanedTime: daysAgo === null ? null : '2026-11-20T04:00:00Z',
})

test('the room that was never cleaned has waited longest, and none has where all were cleaned today', () => {
  expect(longestUncleaned([room('Lobby', 1), room('Hall', 4), room('Bar', 0)])?.name).toBe('Hall')
  expect(longestUncleaned([room('Lobby', 1), room('Hall', null)])?.name).toBe('Hall')
  expect(longestUncleaned([room('Lobby', 0)])).toBeUndefined()
  expect(longestUncleaned([])).toBeUndefined()
})

test('a screen reader hears of each room its area, when it was cleaned and how far it is today', async () => {
  const list = [room('Lobby', 0, 30), room('Hall', 1), room('', 1)]
  const Floor = () => <RoomList rooms={useCleanedRooms(7)} floor="Floor 2" />
  const { of } = await stage(Floor, { at: '/index', answers: { '/taskReport/cleanedRooms': { list } } })
  const rooms = within(await screen.findByRole('list', { name: 'Rooms of Floor 2' })).getAllByRole('listitem')
  expect(rooms.map(({ textContent }) => textContent?.replaceAll('\u00a0', ' '))).toEqual([
    'Lobby: Cleaned today, 30 m² of 40 m² today',
    'Hall: Cleaned yesterday, 0 m² of 40 m² today',
  ])
  expect(of('/taskReport/cleanedRooms')).toMatchObject([{ payload: { mapId: 7 } }])
})
