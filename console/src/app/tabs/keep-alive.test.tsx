/** How many pages stay alive behind the one that is seen. */
import { act, render, screen } from '@testing-library/react'
import { createMemoryRouter, Outlet, RouterProvider, useLocation } from 'react-router'
import { expect, test } from 'vitest'
import { KeepAlive } from './keep-alive'

const MOST = 10

function Page({ name }: { name: string }) {
  return <p>{name}</p>
}

function Shell({ alive }: { alive: readonly string[] }) {
  const { pathname } = useLocation()
  return (
    <>
      <Outlet context={null} />
      <KeepAlive current={pathname} alive={alive} versions={{}} />
    </>
  )
}

async function open(count: number) {
  const names = Array.from({ length: count }, (_, place) => `/page${place}`)
  const router = createMemoryRouter(
    [{ element: <Shell alive={names} />, children: names.map((path) => ({ path, element: <Page name={path} /> })) }],
    { initialEntries: [names[0] ?? '/'] },
  )
  render(<RouterProvider router={router} />)
  for (const name of names.slice(1)) await act(() => router.navigate(name))
  return names.filter((name) => screen.queryAllByText(name).some((element) => element.style.display === 'none'))
}

test('[feat.router.main_layout] [feat.tabs.persist] a page whose tab is open stays alive behind the others', async () => {
  expect(await open(3)).toEqual(['/page0', '/page1'])
})

test('at most ten pages stay alive: the one unseen for longest goes', async () => {
  const hidden = await open(MOST + 2)
  expect(hidden).toHaveLength(MOST - 1)
  expect(hidden[0]).toBe('/page2')
})
