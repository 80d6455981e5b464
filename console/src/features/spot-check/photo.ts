/** A photo made small before it is kept or sent: a phone's are larger than the server takes, and lines are slow. */
const EDGE = 1280 // px
const QUALITY = 0.72

/** As a data URL, upright. Rejects what is no picture. */
export async function shrink(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const scale = Math.min(1, EDGE / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round(picture.height * scale)
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return canvas.toDataURL('image/jpeg', QUALITY)
}

export function blobOf(dataUrl: string): Blob {
  const bytes = atob(dataUrl.replace(/^.*?,/, ''))
  return new Blob([Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))], { type: 'image/jpeg' })
}
