/** A drawing is saved where there is somebody who takes it. */
import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { has } from '@/widgets/robot/robot'
import { stage } from '@/widgets/testing/test-stage'
import { commandsOf, type MapRow } from '../row'
import { EditorHead } from './editor-head'
import type { Editing } from './session/use-editing'

afterEach(() => vi.unstubAllGlobals())

const row = (commands: string[] | null) =>
  ({
    name: 'hall',
    deviceId: 3,
    width: 10,
    height: 10,
    resolution: 0.05,
    area: 4,
    protocolVersion: 3,
    commands,
  }) as MapRow
const EDITING = { changes: [{}], conflicts: [], onto: 1 } as unknown as Editing

test.each([
  [null, true],
  [['map/Upload'], true],
  [['map_list'], false],
])('the drawing is saved at a robot that takes maps: %s', async (commands, saved) => {
  const map = row(commands)
  const takes = has(commandsOf(map), 'map/Upload')
  const Head = () => (
    <EditorHead
      row={map}
      view={undefined}
      editing={EDITING}
      locked={!takes}
      takes={takes}
      refused={false}
      onDialog={() => {}}
    />
  )
  await stage(Head, { at: '/', answers: {} })
  await screen.findByRole('heading', { name: 'hall' })
  expect(screen.queryByRole('button', { name: 'Save to robot' }) !== null).toBe(saved)
})
