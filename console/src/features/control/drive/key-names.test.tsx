import { renderHook, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useKeyNames } from './key-names'

test('the keys that drive have the names that stand on them', async () => {
  expect(renderHook(useKeyNames).result.current).toEqual(['W', 'A', 'S', 'D'])
  const french = new Map(Object.entries({ KeyW: 'z', KeyA: 'q', KeyS: 's', KeyD: 'd' }))
  vi.stubGlobal('navigator', { keyboard: { getLayoutMap: async () => french } })
  const { result } = renderHook(useKeyNames)
  await waitFor(() => expect(result.current).toEqual(['Z', 'Q', 'S', 'D']))
  vi.unstubAllGlobals()
})
