/** A task is drawn on a map: without one nothing can be saved, and that is said. */
import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { device, stage } from '@/widgets/testing/test-stage'
import { TaskDialog } from './task-dialog'

afterEach(() => vi.unstubAllGlobals())

const WORDS = 'Could not read the map settings, so tasks cannot be saved.'

test.each([
  ['the robot has no map', []],
  ['its map does not come', [{ mapId: 1, deviceId: 1, name: 'floor 1', loaded: true, revision: 1 }]],
])('[err.text.map_config_failed] where %s no task can be saved', async (_, list) => {
  await stage(
    () => (
      <TaskDialog
        owner={{ ...device(1), customerName: '', online: false }}
        task={undefined}
        onClose={() => undefined}
      />
    ),
    {
      at: '/device/taskList',
      answers: { '/map/selectMap': { list } },
    },
  )
  expect(await screen.findByText(WORDS)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
})
