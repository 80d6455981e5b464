/** Ranges of a file by its signed address. The last ones stay: a time line that is moved asks for the same again. */
import type { McapTypes } from '@mcap/core'

const PARTIAL = 206
const MOST_BYTES = 24 << 20 // chunks are made of about 1 MB

/** It was good for some minutes. */
export class AddressEnded extends Error {}

async function fetchRange(url: string, first: bigint, last: bigint) {
  const response = await fetch(url, { headers: { range: `bytes=${first}-${last}` } })
  if (response.status !== PARTIAL) throw new AddressEnded(String(response.status))
  return response
}

export function readRanges(url: string): McapTypes.IReadable {
  const ranges = new Map<string, Uint8Array>()
  let bytes = 0
  const drop = (key: string) => {
    bytes -= ranges.get(key)?.length ?? 0
    ranges.delete(key)
  }
  return {
    size: async () => {
      const { headers } = await fetchRange(url, 0n, 0n)
      return BigInt(headers.get('content-range')?.split('/')[1] ?? 0)
    },
    read: async (offset, length) => {
      const key = `${offset} ${length}`
      const content =
        ranges.get(key) ?? new Uint8Array(await (await fetchRange(url, offset, offset + length - 1n)).arrayBuffer())
      drop(key)
      ranges.set(key, content)
      bytes += content.length
      for (const oldest of ranges.keys()) {
        if (bytes <= MOST_BYTES || oldest === key) break
        drop(oldest)
      }
      return content
    },
  }
}
