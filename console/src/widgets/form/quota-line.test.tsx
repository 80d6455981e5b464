import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '../testing/test-stage'
import { QuotaLine } from './quota-line'

const GB = 2 ** 30

afterEach(() => vi.unstubAllGlobals())

test.each([
  [1.2, '1.2 GB of 5 GB used', false],
  [4.6, '4.6 GB of 5 GB used: almost full', true],
  [5, '5 GB of 5 GB used: storage is full', true],
])('of %f GB the line says so, and warns when they are nearly all', async (used, text, warns) => {
  const holdings = [{ kind: 'maps', used: used * GB, limit: 5 * GB }]
  await stage(() => <QuotaLine kind="maps" />, { at: '/maps', answers: { '/oss/holdings': holdings } })
  const line = await screen.findByText(text)
  expect(line.getAttribute('role')).toBe(warns ? 'status' : null)
  expect(line.querySelector('svg') !== null).toBe(warns)
})
