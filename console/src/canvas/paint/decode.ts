/** Pictures of maps through the browser's decoder. */
import { gridFromGrey, type Raster } from '../raster/raster'

/** The grid of a picture as /map/grid gives it. */
export async function gridFromPicture(picture: Blob): Promise<Raster> {
  const bitmap = await createImageBitmap(picture, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' })
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('no 2d context')
  context.drawImage(bitmap, 0, 0)
  bitmap.close()
  const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height)
  return gridFromGrey(data, width, height, 4)
}
