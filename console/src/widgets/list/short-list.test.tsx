import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '../testing/test-stage'
import { Pages } from './pages'
import { ShortList } from './short-list'

afterEach(() => vi.unstubAllGlobals())

const ROWS = [
  { id: 1, name: 'Quay 10' },
  { id: 2, name: 'Quay 9' },
]
const names = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent)

test('a short list sorts by a heading and leaves the address alone', async () => {
  const query = { data: { list: ROWS }, error: null, isPending: false, refetch: () => undefined }
  const { router } = await stage(
    () => (
      <ShortList
        texts="registry"
        label="Quays"
        columns={[{ key: 'name', label: 'name', heading: true }]}
        query={query}
        idOf={({ id }) => id}
      />
    ),
    { at: '/elevator/index', keys: [], answers: {} },
  )
  const heading = within(await screen.findByRole('table', { name: 'Quays' })).getByRole('button', { name: 'Name' })
  expect(names()).toEqual(['Quay 10', 'Quay 9'])
  await userEvent.click(heading)
  expect(names()).toEqual(['Quay 9', 'Quay 10'])
  expect(router.state.location.search).toBe('')
})

function Turning({ total }: { total: number }) {
  const [page, setPage] = useState(1)
  return <Pages page={page} size={10} total={total} onPage={setPage} />
}

const pageNames = () => screen.getAllByRole('button', { name: /^Page / }).map((button) => button.textContent)

test('of many pages the first, the last and those beside the shown are offered', async () => {
  await stage(() => <Turning total={95} />, { at: '/', keys: [], answers: {} })
  expect(await screen.findByRole<HTMLButtonElement>('button', { name: 'Previous page' })).toHaveProperty(
    'disabled',
    true,
  )
  expect(pageNames()).toEqual(['1', '2', '10'])
  await userEvent.click(screen.getByRole('button', { name: 'Page 10' }))
  expect(pageNames()).toEqual(['1', '9', '10'])
  expect(screen.getByRole('button', { current: 'page' }).textContent).toBe('10')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next page' }).disabled).toBe(true)
})

test('a list of one page offers none', async () => {
  await stage(() => <Turning total={10} />, { at: '/', keys: [], answers: {} })
  expect(screen.queryByRole('navigation')).toBeNull()
})
