import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { PAGES } from '../pages'
import type { Page } from '../pages/page'
import { Permitted } from './permitted'

afterEach(() => vi.unstubAllGlobals())

const LOG = PAGES.find(({ path }) => path === '/log') as Page
const show = (keys: string[]) => stage(() => <Permitted page={LOG}>rows</Permitted>, { at: '/log', answers: {}, keys })

test('[err.text.no_permission] a page without its key says so, and names the permission', async () => {
  await show(['device/index'])
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('No access')
  expect(alert.textContent).toContain('permission “Audit log”')
  expect(screen.queryByText('rows')).toBeNull()
})

test('a page inside of another one names the permission of that one', async () => {
  const rollouts = PAGES.find(({ path }) => path === '/version/soft/rollout') as Page
  await stage(() => <Permitted page={rollouts}>rows</Permitted>, { at: rollouts.path, answers: {}, keys: ['log'] })
  expect((await screen.findByRole('alert')).textContent).toContain('“Software versions”')
})

test('with its key a page is shown', async () => {
  await show(['log'])
  await screen.findByText('rows')
})
