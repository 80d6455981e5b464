/** /refresh starts the view that was shown anew, and shows it again. */
import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useEffect } from 'react'
import { createMemoryRouter, Outlet, RouterProvider, useLocation } from 'react-router'
import { expect, test } from 'vitest'
import { useViews } from '../tabs/tabs'
import { Refresh } from './re-enter'

function Shell() {
  const { pathname, search } = useLocation()
  const version = useViews(({ versions }) => versions[pathname] ?? 0)
  useEffect(() => {
    if (pathname !== '/refresh')
      useViews.setState({ last: { key: pathname, href: pathname + search, title: 'map-list' } })
  }, [pathname, search])
  return <Outlet key={`${pathname}${version}`} />
}

test('[route.refresh] the current view is loaded anew, with its address and without what was typed', async () => {
  const router = createMemoryRouter(
    [
      {
        element: <Shell />,
        children: [
          { path: '/device/maplist', element: <input aria-label="Search" /> },
          { path: '/refresh', element: <Refresh /> },
        ],
      },
    ],
    { initialEntries: ['/device/maplist?text=hall'] },
  )
  render(<RouterProvider router={router} />)
  await userEvent.type(screen.getByRole('textbox'), 'half a word')
  await act(() => router.navigate('/refresh'))
  expect(router.state.location.pathname + router.state.location.search).toBe('/device/maplist?text=hall')
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('')
})
