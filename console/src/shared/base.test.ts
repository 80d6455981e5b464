import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  delete document.documentElement.dataset.base
  history.replaceState(null, '', '/')
})

/** As the module is when a page at this path loads it, whose server lies below `base`. */
function load(base: string | undefined, path: string) {
  vi.resetModules()
  if (base !== undefined) document.documentElement.dataset.base = base
  history.replaceState(null, '', path)
  return import('./base')
}

test('below a path addresses of the server get it as an answer is parseJson, and lose it as they are sent', async () => {
  const { BASE, withoutBase, parseJson, toJson } = await load('/lustra', '/lustra/index')
  expect(BASE).toBe('/lustra')
  expect(withoutBase('/lustra/device/index')).toBe('/device/index')
  expect(withoutBase('/lustrative')).toBe('/lustrative')
  const answer = { url: '/api/public/avatar/1', list: [{ tiles: ['/api/a', ''] }], name: 'see /api/', size: 3 }
  const parsed = parseJson(JSON.stringify(answer))
  expect(parsed).toEqual({ ...answer, url: '/lustra/api/public/avatar/1', list: [{ tiles: ['/lustra/api/a', ''] }] })
  expect(JSON.parse(toJson(parsed))).toEqual(answer)
})

test.each([
  [undefined, '/device/index'],
  ['/lustra', '/device/index'], // at the server's own port
  ['/lustra', '/lustrative/index'],
])('elsewhere everything stays as it is: below %s, at %s', async (base, path) => {
  const { BASE, withoutBase, parseJson, toJson } = await load(base, path)
  expect(BASE).toBe('')
  expect(withoutBase(path)).toBe(path)
  expect(parseJson('{"url":"/api/x"}')).toEqual({ url: '/api/x' })
  expect(toJson({ url: '/api/x' })).toBe('{"url":"/api/x"}')
})
