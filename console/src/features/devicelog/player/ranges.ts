/** Ranges of a file by its signed address. The last ones stay: a time line that is moved asks for the same again. */
import type { McapTypes } from '@mcap/core'

const PARTIAL = 206
const MOST_RANGES = 24 // of about 1 MB each, which is how large chunks are made

/** It was good for some minutes. */
export class AddressEnded extends Error {}

async function fetchRange(url: string, first: bigint, last: bigint) {
  const response = await fetch(url, { headers: { range: `bytes=${first}-${last}` } })
  if (response.status !== PARTIAL) throw new AddressEnded(String(response.status))
  return response
}

export function readRanges(url: string): McapTypes.IReadable {
  const ranges = new Map<string, Uint8Array>()
  return {
    size: async () => {
      const { headers } = await fetchRange(url, 0n, 0n)
      return BigInt(headers.get('content-range')?.split('/')[1] ?? 0)
    },
    read: async (offset, length) => {
      const key = `${offset} ${length}`
      const content =
        ranges.get(key) ?? new Uint8Array(await (await fetchRange(url, offset, offset + length - 1n)).arrayBuffer())
      ranges.delete(key)
      ranges.set(key, content)
      const [oldest] = ranges.keys()
      if (ranges.size > MOST_RANGES && oldest !== undefined) ranges.delete(oldest)
      return content
    },
  }
}
