import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { PAGES } from '../pages'
import type { Page } from '../pages/page'
import { Permitted } from './permitted'

afterEach(() => vi.unstubAllGlobals())

const LOG = PAGES.find(({ path }) => path === '/log') as Page
const show = (keys: string[]) => stage(() => <Permitted page={LOG}>rows</Permitted>, { at: '/log', answers: {}, keys })

test('[err.text.no_permission] a page without its key says so, and which key it is', async () => {
  await show(['device/index'])
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('No access')
  expect(alert.textContent).toContain('log')
  expect(screen.queryByText('rows')).toBeNull()
})

test('with its key a page is shown', async () => {
  await show(['log'])
  await screen.findByText('rows')
})
