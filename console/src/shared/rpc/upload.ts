/** Files to the server with progress (fetch tells none). */
import { BASE, parseJson } from '../base'
import { headers, refuseStatus, unwrap } from './call'
import type { Answer, CallPath } from './contract'
import { Unreached } from './refusal'

interface Options {
  /** 0 to 1, as the browser sends. */
  onProgress?: (part: number) => void
  signal?: AbortSignal | undefined
}

export const upload = async <C extends CallPath>(path: C, form: FormData, options: Options = {}) =>
  (await transfer('POST', `/api${path}`, form, await headers(), options)) as Answer<C>

/** Sends a body; the data of the answer. */
export function transfer(
  method: 'POST' | 'PUT',
  url: string,
  body: FormData | Blob,
  fields: Readonly<Record<string, string>>,
  { onProgress, signal }: Options = {},
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, BASE + url)
    for (const [name, value] of Object.entries(fields)) request.setRequestHeader(name, value)
    request.upload.onprogress = (event) => onProgress?.(event.loaded / event.total)
    request.onerror = () => reject(new Unreached(0, url))
    request.onabort = () => reject(new DOMException('upload cancelled', 'AbortError'))
    request.onload = () => {
      try {
        if (request.status >= 300) refuseStatus(request.status, url)
        resolve(unwrap(parseJson(request.responseText)))
      } catch (error) {
        reject(error)
      }
    }
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}
