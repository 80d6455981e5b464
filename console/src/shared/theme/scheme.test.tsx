import { render, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setPreference, usePreferences } from './preferences'
import { useDocumentTheme, useScale } from './scheme'

const Page = () => {
  useDocumentTheme()
  return null
}

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }))
  usePreferences.setState({}, true)
})
afterEach(() => vi.unstubAllGlobals())

test('[const.x.ui_size_default] [feat.header.ui_size] the size is default until the account has chosen another', async () => {
  const { rerender } = render(<Page />)
  expect(document.documentElement.dataset.size).toBe('default')
  setPreference('size', 'large')
  rerender(<Page />)
  expect(document.documentElement.dataset.size).toBe('large')
})

test('[rule.theme.color] a colour that is none of them is the default one', () => {
  const primary = () => document.documentElement.style.getPropertyValue('--primary')
  const { rerender } = render(<Page />)
  const usual = primary()
  setPreference('colour', 'red')
  rerender(<Page />)
  expect(primary()).not.toBe(usual)
  setPreference('colour', 'mauve')
  rerender(<Page />)
  expect(primary()).toBe(usual)
})

test('follow the size of letters in layouts by numbers, as it changes', async () => {
  const { result } = renderHook(useScale)
  expect(result.current).toBe(1)
  document.documentElement.style.fontSize = '32px'
  await vi.waitFor(() => expect(result.current).toBe(2))
  document.documentElement.style.fontSize = ''
  await vi.waitFor(() => expect(result.current).toBe(1))
})
