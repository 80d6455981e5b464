import { expect, test } from 'vitest'
import { afterLogin, loginPath } from './guard'

const ORIGIN = 'https://console.example'

test('[rule.route.auth] [feat.router.guard] the full original path goes along to the log-in page', () => {
  expect(loginPath('/device/index?userId=5')).toBe('/login?redirect=%2Fdevice%2Findex%3FuserId%3D5')
})

test('[route.login] log-in leads back to the path that was asked for', () => {
  expect(afterLogin('/device/index?userId=5#top', ORIGIN)).toBe('/device/index?userId=5#top')
})

test.each([
  null,
  '',
  'https://elsewhere.example/',
  '//elsewhere.example',
  '/\\elsewhere.example',
  'javascript:alert(1)',
  '/login?redirect=%2Flogin',
])('[route.login] %s leads to index: only paths of this origin are followed', (redirect) => {
  expect(afterLogin(redirect, ORIGIN)).toBe('/index')
})
