import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { Count } from './unread'

afterEach(() => vi.unstubAllGlobals())

test.each([
  [99, '99'],
  [100, '99+'],
])('[const.layout] of %s messages the badge shows %s', async (count, text) => {
  await stage(() => <Count count={count} />, { at: '/index', answers: {} })
  expect(await screen.findByText(text)).toBeTruthy()
})
