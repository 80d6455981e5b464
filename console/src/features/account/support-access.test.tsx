import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { SupportAccess } from './support-access'

afterEach(() => vi.unstubAllGlobals())

const customer = (id: number, name: string, open = false) => ({
  ...{ customerId: id, customerName: name, open, default: 'off', until: open ? '2026-11-22T14:30:00Z' : null },
})

test('customers beyond the first page can be turned to; a search begins at the first', async () => {
  const { of } = await stage(() => <SupportAccess onClose={() => undefined} />, {
    at: '/index',
    answers: {
      '/support/state': { customer: null, mine: false },
      '/support/list': { list: [customer(4, 'Harbour 10'), customer(5, 'Harbour 9', true)], total: 60, pageNum: 2 },
    },
  })
  const table = await screen.findByRole('table', { name: 'Support access' })
  expect(within(table).getByText('Closed')).toBeDefined()
  expect(within(table).getByText(/^Open until/)).toBeDefined()
  expect(within(table).getAllByRole('row')).toHaveLength(3)
  await userEvent.click(screen.getByRole('button', { name: 'Page 2' }))
  await vi.waitFor(() => expect(of('/support/list').at(-1)?.payload).toMatchObject({ currentPage: 2 }))
  await userEvent.type(screen.getByRole('searchbox'), 'Quay{Enter}')
  await vi.waitFor(() => expect(of('/support/list').at(-1)?.payload).toMatchObject({ keyword: 'Quay', currentPage: 1 }))
})

test('list who read one’s own data, sortable by its headings', async () => {
  const look = {
    time: '2026-11-22T14:30:00Z',
    userId: 2,
    what: 'map',
    whatName: 'Map',
    id: 7,
    deviceId: null,
    account: 'dealer',
  }
  await stage(() => <SupportAccess onClose={() => undefined} />, {
    at: '/index',
    answers: {
      '/support/state': { customer: customer(3, 'Harbour', true), mine: true },
      '/support/looks': {
        list: [
          { ...look, name: 'Lind', of: 'Quay 10' },
          { ...look, id: 8, name: '', of: 'Quay 9' },
        ],
        total: 2,
        pageNum: 1,
      },
    },
  })
  const names = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent)
  const heading = within(await screen.findByRole('table', { name: 'Access history' })).getByRole('button', {
    name: 'Item',
  })
  expect(names()).toEqual(['Lind', 'dealer'])
  expect(screen.getByText('Map · Quay 9')).toBeDefined()
  await userEvent.click(heading)
  expect(names()).toEqual(['dealer', 'Lind'])
})
