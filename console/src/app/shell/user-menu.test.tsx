import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { App } from 'antd'
import { afterEach, expect, test, vi } from 'vitest'
import { useSessionStore } from '@/shared/session/session'
import { stage } from '@/widgets/testing/test-stage'
import { UserMenu } from './user-menu'

afterEach(() => vi.unstubAllGlobals())

const OWN = [
  'Edit profile',
  'Profile picture',
  'Change password',
  'Message centre',
  'Clear old data',
  'End all sessions',
  'Log out',
]

test.each([
  [true, ['Tablet branding']],
  [false, []],
])(
  '[rule.pad.level, feat.user_menu, feat.area.pad] whether the account brands tablets (%s) decides what its menu offers',
  async (brandsTablets, more) => {
    await stage(
      () => (
        <App>
          <UserMenu />
        </App>
      ),
      { at: '/index', answers: {}, level: 2, keys: ['index/clear_data', 'index/clear_token', 'message/index'] },
    )
    useSessionStore.setState(({ session }) => ({ session: session && { ...session, brandsTablets } }))
    await userEvent.click(await screen.findByRole('button', { name: /Account menu/ }))
    const offered = screen.getAllByRole('menuitem').map((item) => item.textContent)
    expect(offered).toEqual(expect.arrayContaining([...OWN, ...more]))
    expect(offered.includes('Tablet branding')).toBe(brandsTablets)
  },
)
