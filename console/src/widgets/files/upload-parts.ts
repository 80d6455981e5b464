/**
 * A large file to the server in parts: cut off, it goes on where it was, also after the page was loaded again and the
 * same file chosen. Content-Range says which part it is, the answer how many bytes have come.
 */
import { call, headers } from '@/shared/rpc/call'
import { CODE } from '@/shared/rpc/codes'
import { Refusal, Unreached } from '@/shared/rpc/refusal'
import { transfer } from '@/shared/rpc/upload'

export const PART = 8 << 20
const PATIENCE_MS = [1000, 2000, 5000, 10_000]

interface Options {
  /** Bytes that have come. */
  onProgress(bytes: number): void
  /** Whether it waits for the network. */
  onWaiting(waiting: boolean): void
  signal: AbortSignal
}

interface Received {
  readonly savePath: string
  readonly received: number
}

/** Stores the file in a folder of the account. Throws a Refusal, or AbortError; a lost network it waits for. */
export async function uploadParts(file: File, folder: string, name: string, options: Options): Promise<void> {
  const known = `upload ${folder}/${name} ${file.size} ${file.lastModified}`
  let token = sessionStorage.getItem(known) ?? (await begin(folder, name))
  sessionStorage.setItem(known, token)
  let received: number | undefined
  let tries = 0
  for (;;) {
    try {
      const start = received
      const end = start === undefined ? 0 : Math.min(start + PART, file.size)
      const stored = await send(token, file, start, end, options)
      tries = 0
      options.onWaiting(false)
      options.onProgress(stored.received)
      if (stored.savePath) return sessionStorage.removeItem(known)
      received = stored.received
    } catch (why) {
      if (why instanceof Refusal && why.code === CODE.UPLOAD_EXPIRED && received === undefined) {
        token = await begin(folder, name)
        sessionStorage.setItem(known, token)
        continue
      }
      if (!(why instanceof Unreached) || (why.status > 0 && why.status < 500)) {
        sessionStorage.removeItem(known)
        throw why
      }
      received = undefined
      options.onWaiting(true)
      await pause(PATIENCE_MS[Math.min(tries, PATIENCE_MS.length - 1)] ?? 0, options.signal)
      tries += 1
    }
  }
}

const begin = (folder: string, name: string) =>
  call('/oss/upload', { file: name, targetPath: folder, isPrivate: false })

/** A part of the file; without `start` nothing of it, which asks how far it is. */
async function send(token: string, file: File, start: number | undefined, end: number, options: Options) {
  const range = start === undefined ? `bytes */${file.size}` : `bytes ${start}-${end - 1}/${file.size}`
  const fields = { ...(await headers()), 'Content-Range': range, 'Content-Type': 'application/octet-stream' }
  const onProgress = (part: number) => start !== undefined && options.onProgress(start + part * (end - start))
  const url = `/api/oss/object?token=${encodeURIComponent(token)}`
  const body = file.slice(start ?? 0, end)
  // The answer of PUT /oss/object, which the contract's calls (all POST) do not hold.
  return (await transfer('PUT', url, body, fields, { onProgress, signal: options.signal })) as Received
}

/** Ends early when the browser finds its network again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (how: () => void) => {
      clearTimeout(timer)
      window.removeEventListener('online', onOnline)
      signal.removeEventListener('abort', onAbort)
      how()
    }
    const onOnline = () => done(resolve)
    const onAbort = () => done(() => reject(new DOMException('upload cancelled', 'AbortError')))
    const timer = setTimeout(onOnline, ms)
    window.addEventListener('online', onOnline)
    signal.addEventListener('abort', onAbort)
  })
}
