import { afterEach, expect, test, vi } from 'vitest'
import { AddressEnded, readRanges } from './ranges'

const CONTENT = new Uint8Array(100).map((_, place) => place)

afterEach(() => vi.unstubAllGlobals())

function serve() {
  const ranges: string[] = []
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: { range: string } }) => {
    if (url === '/ended') return new Response('', { status: 410 })
    ranges.push(headers.range)
    const [first, last] = headers.range.replace('bytes=', '').split('-').map(Number)
    const content = CONTENT.slice(first, (last ?? 0) + 1)
    return new Response(content, { status: 206, headers: { 'content-range': `bytes ${first}-${last}/100` } })
  })
  return ranges
}

test('no more of a file is fetched than is asked for, and the same range once', async () => {
  const ranges = serve()
  const file = readRanges('/file')
  expect(await file.size()).toBe(100n)
  expect([...(await file.read(10n, 3n))]).toEqual([10, 11, 12])
  expect([...(await file.read(10n, 3n))]).toEqual([10, 11, 12])
  expect(ranges).toEqual(['bytes=0-0', 'bytes=10-12'])
})

test('of many ranges the newest stay, as many bytes as memory may hold', async () => {
  const MB = 1 << 20
  const requests: string[] = []
  vi.stubGlobal('fetch', async (_: string, { headers }: { headers: { range: string } }) => {
    requests.push(headers.range)
    return new Response(new Uint8Array(MB), { status: 206 })
  })
  const file = readRanges('/file')
  for (let at = 0n; at < 30n; at += 1n) await file.read(at, BigInt(MB))
  await file.read(29n, BigInt(MB))
  await file.read(10n, BigInt(MB))
  expect(requests).toHaveLength(30)
  await file.read(0n, BigInt(MB))
  expect(requests).toHaveLength(31)
})

test('an address that has ended says so', async () => {
  serve()
  await expect(readRanges('/ended').size()).rejects.toBeInstanceOf(AddressEnded)
})
