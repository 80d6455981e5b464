/** What a robot can show, by its first bytes as the server reads them, and how much of it. */
import type { TextKey } from '@/shared/i18n/text'

const LARGEST_PICTURE = 2 << 20
const LARGEST_VIDEO = 50 << 20
const HEAD = 12 // bytes
export const ACCEPTED = 'image/png,image/jpeg,image/gif,image/webp,video/mp4,video/webm'

const PICTURES = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a']

function kindOf(head: string): 'picture' | 'video' | undefined {
  const webp = head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP'
  if (webp || PICTURES.some((start) => head.startsWith(start))) return 'picture'
  return head.slice(4, 8) === 'ftyp' || head.startsWith('\x1aE\xdf\xa3') ? 'video' : undefined
}

export const isVideo = (kind: string) => kind.startsWith('video/')

/** Key of the text that says why not. */
export async function fileFault(files: readonly File[]): Promise<TextKey<'advert'> | undefined> {
  const [file] = files
  if (!file || files.length > 1) return 'fault-one-file'
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, HEAD).arrayBuffer()))
  const kind = kindOf(head)
  if (!kind) return 'fault-format'
  if (kind === 'picture') return file.size > LARGEST_PICTURE ? 'fault-picture-large' : undefined
  return file.size > LARGEST_VIDEO ? 'fault-video-large' : undefined
}
