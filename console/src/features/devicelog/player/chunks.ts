/** Chunks of a recording, unpacked: the last ones stay, for the next line is drawn from the same. */
import { decompress } from 'fzstd'

const LARGEST = 64n << 20n
const MOST = 24 // of about 1 MB each, which is how large chunks are made

/** The whole of both: chunks of one length may differ in a single byte. */
function isSame(first: Uint8Array, other: Uint8Array): boolean {
  if (first.length !== other.length) return false
  for (let at = 0; at < first.length; at += 1) if (first[at] !== other[at]) return false
  return true
}

export function unpacker(): (packed: Uint8Array, size: bigint) => Uint8Array {
  let known: { packed: Uint8Array; chunk: Uint8Array }[] = []
  return (packed, size) => {
    if (size > LARGEST) throw new RangeError('chunk')
    const entry = known.find((each) => isSame(each.packed, packed)) ?? {
      packed,
      chunk: decompress(packed, new Uint8Array(Number(size))),
    }
    known = [entry, ...known.filter((each) => each !== entry)].slice(0, MOST)
    return entry.chunk
  }
}
