/** Files to the server with progress (fetch tells none), and blobs to the user's disk. */
import { headers, refuseStatus, unwrap } from './call'
import type { Answer, CallPath } from './contract'
import { Unreached } from './refusal'

interface Options {
  /** 0 to 1, as the browser sends. */
  onProgress?: (part: number) => void
  signal?: AbortSignal
}

export async function upload<C extends CallPath>(path: C, form: FormData, options: Options = {}): Promise<Answer<C>> {
  const url = `/api${path}`
  const fields = await headers()
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    for (const [name, value] of Object.entries(fields)) request.setRequestHeader(name, value)
    request.upload.onprogress = (event) => options.onProgress?.(event.loaded / event.total)
    request.onerror = () => reject(new Unreached(0, url))
    request.onabort = () => reject(new DOMException('upload cancelled', 'AbortError'))
    request.onload = () => {
      try {
        if (request.status >= 300) refuseStatus(request.status, url)
        resolve(unwrap(JSON.parse(request.responseText)) as Answer<C>)
      } catch (error) {
        reject(error)
      }
    }
    options.signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
}

export function saveAs(blob: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
