/** A drawing as a picture that can be put into a document. */
const SHARPNESS = 2 // pixels for one of the screen

export async function pngOf(address: string, ground: string): Promise<Blob> {
  const image = new Image()
  image.src = address
  await image.decode()
  const canvas = new OffscreenCanvas(image.width * SHARPNESS, image.height * SHARPNESS)
  const paper = canvas.getContext('2d')
  if (!paper) throw new Error('no canvas')
  paper.fillStyle = ground
  paper.fillRect(0, 0, canvas.width, canvas.height)
  paper.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas.convertToBlob({ type: 'image/png' })
}
