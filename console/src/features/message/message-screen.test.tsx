import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { MessageScreen } from './message-screen'

afterEach(() => vi.unstubAllGlobals())

const message = (id: number, read: boolean) => ({
  ...{ id, read, deleted: false, title: `Robots assigned ${id}`, content: 'Dealer: Kestrel L3-A', userId: 3 },
  ...{ time: '2026-03-05T14:30:00Z', kind: 'bound' },
})
const page = (list: unknown[], total = list.length) => ({ list, total, pageNum: 1 })

test('[route.message.index] unread messages stand first; one is marked as read, one is deleted', async () => {
  const { of } = await stage(MessageScreen, {
    at: '/message/index',
    answers: {
      '/message/findAllMessage': ({ read }: Record<string, unknown>) =>
        read ? page([message(1, true)]) : page([message(2, false)]),
      '/message/updateMessageRead': {},
      '/message/updateMessageDelete': {},
    },
  })
  await screen.findByText('Robots assigned 1')
  expect(screen.getAllByRole('heading', { level: 2 }).map((head) => head.textContent)).toEqual(['Unread', 'Read'])
  expect(screen.getAllByRole('listitem').map((line) => within(line).getAllByRole('button').length)).toEqual([2, 1])
  await userEvent.click(screen.getByRole('button', { name: /^Mark as read: Robots assigned 2/ }))
  await vi.waitFor(() => expect(of('/message/updateMessageRead')[0]?.payload).toEqual({ id: 2 }))
  await userEvent.click(screen.getByRole('button', { name: /^Delete: Robots assigned 1/ }))
  await vi.waitFor(() => expect(of('/message/updateMessageDelete')[0]?.payload).toEqual({ id: 1 }))
})

test('when the last page empties, the one before it is shown', async () => {
  let total = 13
  const { of } = await stage(MessageScreen, {
    at: '/message/index',
    answers: {
      '/message/findAllMessage': ({ read, currentPage }: Record<string, unknown>) => {
        if (read) return page([])
        return page(
          currentPage === 1
            ? Array.from({ length: 12 }, (_, n) => message(n + 2, false))
            : total > 12
              ? [message(1, false)]
              : [],
          total,
        )
      },
      '/message/updateMessageDelete': () => {
        total = 12
        return {}
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Page 2' }))
  await userEvent.click(await screen.findByRole('button', { name: /^Delete: Robots assigned 1,/ }))
  await screen.findByText('Robots assigned 2')
  expect(of('/message/findAllMessage').at(-1)?.payload).toMatchObject({ currentPage: 1 })
  screen.getByText('No read messages.')
})
