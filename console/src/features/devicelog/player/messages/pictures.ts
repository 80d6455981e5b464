/**
 * What a camera saw, from the messages that ROS and Foxglove have for it: raw pixels, or a JPEG or PNG. Depth is drawn from
 * black, the nearest, to white, the farthest of that picture.
 */

export type Picture =
  | { readonly width: number; readonly height: number; readonly pixels: Uint8ClampedArray<ArrayBuffer> }
  | { readonly kind: string; readonly content: Uint8Array<ArrayBuffer> }

type Message = Readonly<Record<string, unknown>>
/** Writes the red, green and blue of row and column to `out` at `to`. */
type Paint = (column: number, row: number, out: Uint8ClampedArray, to: number) => void

interface Raw {
  readonly view: DataView
  readonly width: number
  readonly height: number
  /** Bytes of a row. */
  readonly step: number
  readonly littleEnd: boolean
}

const TYPES = [
  ...['sensor_msgs/Image', 'sensor_msgs/CompressedImage', 'foxglove.RawImage', 'foxglove.CompressedImage'],
  ...['foxglove_msgs/RawImage', 'foxglove_msgs/CompressedImage'],
]
/** Of a picture that says more, its memory would be too large. */
const MOST_PIXELS = 40e6
const RGBA = 4
const OPAQUE = 255
/** compressedDepth has so many bytes before its PNG. */
const DEPTH_HEAD = 12

interface Topic {
  readonly name: string
  readonly type: string
  readonly readable: boolean
}

export const pictureTopics = (topics: readonly Topic[]) =>
  topics.filter(({ readable, type }) => readable && TYPES.includes(type.replace('/msg/', '/'))).map(({ name }) => name)

/** `order`: where red, green and blue lie among the bytes of a pixel. */
function plain(bytes: number, order: readonly [number, number, number]) {
  return ({ view, step }: Raw): Paint =>
    (column, row, out, to) => {
      const at = row * step + column * bytes
      for (let colour = 0; colour < order.length; colour += 1)
        out[to + colour] = view.getUint8(at + (order[colour] ?? 0))
    }
}

/** Grey between the least and the most; 0 and what is no number is no reading, and black. */
function depth(bytes: number, read: (raw: Raw, at: number) => number) {
  return (raw: Raw): Paint => {
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    const valueAt = (column: number, row: number) => read(raw, row * raw.step + column * bytes)
    for (let row = 0; row < raw.height; row += 1)
      for (let column = 0; column < raw.width; column += 1) {
        const value = valueAt(column, row)
        if (!Number.isFinite(value) || value === 0) continue
        if (value < least) least = value
        if (value > most) most = value
      }
    return (column, row, out, to) => {
      const value = valueAt(column, row)
      const grey = Number.isFinite(value) && value !== 0 ? (OPAQUE * (value - least)) / (most - least || 1) : 0
      out.fill(grey, to, to + 3)
    }
  }
}

/** One colour a pixel: each takes those of the four that it stands among. `first`: the colours of two rows of two. */
function bayer(first: string) {
  return ({ view, width, height, step }: Raw): Paint =>
    (column, row, out, to) => {
      const left = Math.min(column & ~1, Math.max(width - 2, 0))
      const top = Math.min(row & ~1, Math.max(height - 2, 0))
      const at = (place: number) => view.getUint8((top + (place >> 1)) * step + left + (place & 1))
      out[to] = at(first.indexOf('r'))
      out[to + 1] = (at(first.indexOf('g')) + at(first.lastIndexOf('g'))) / 2
      out[to + 2] = at(first.indexOf('b'))
    }
}

/** Brightness for each pixel, the two differences of colour for two of them. */
function yuv(light: number, blue: number, red: number) {
  return ({ view, step }: Raw): Paint =>
    (column, row, out, to) => {
      const pair = row * step + (column & ~1) * 2
      const y = view.getUint8(row * step + column * 2 + light)
      const u = view.getUint8(pair + blue) - 128
      const v = view.getUint8(pair + red) - 128
      out[to] = y + 1.402 * v
      out[to + 1] = y - 0.344 * u - 0.714 * v
      out[to + 2] = y + 1.772 * u
    }
}

const MONO = plain(1, [0, 0, 0])
const SHORT = depth(2, ({ view, littleEnd }, at) => view.getUint16(at, littleEnd))
const UYVY = [2, yuv(1, 0, 2)] as const
const YUYV = [2, yuv(0, 1, 3)] as const
/** Bytes of a pixel, and how it is painted. */
const ENCODINGS: Readonly<Record<string, readonly [bytes: number, (raw: Raw) => Paint]>> = {
  rgb8: [3, plain(3, [0, 1, 2])],
  bgr8: [3, plain(3, [2, 1, 0])],
  '8UC3': [3, plain(3, [2, 1, 0])],
  rgba8: [4, plain(4, [0, 1, 2])],
  bgra8: [4, plain(4, [2, 1, 0])],
  '8UC4': [4, plain(4, [2, 1, 0])],
  mono8: [1, MONO],
  '8UC1': [1, MONO],
  mono16: [2, SHORT],
  '16UC1': [2, SHORT],
  '32FC1': [4, depth(4, ({ view, littleEnd }, at) => view.getFloat32(at, littleEnd))],
  bayer_rggb8: [1, bayer('rggb')],
  bayer_bggr8: [1, bayer('bggr')],
  bayer_gbrg8: [1, bayer('gbrg')],
  bayer_grbg8: [1, bayer('grbg')],
  yuv422: UYVY,
  uyvy: UYVY,
  yuv422_yuy2: YUYV,
  yuyv: YUYV,
}

/** JSON has bytes as base64. */
function bytesOf(data: unknown): Uint8Array<ArrayBuffer> {
  if (typeof data === 'string') return Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
  if (data instanceof Uint8Array) return new Uint8Array(data)
  throw new TypeError('data')
}

const isMessage = (message: unknown): message is Message => typeof message === 'object' && message !== null
const numberOf = (value: unknown) => (typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0)

function refuseLarge(width: number, height: number) {
  if (width * height > MOST_PIXELS || width === 0 || height === 0) throw new RangeError(`${width} × ${height}`)
}

function paint(encoding: string, message: Message): Picture {
  const known = ENCODINGS[encoding]
  if (!known) throw new TypeError(encoding)
  const [bytes, painter] = known
  const [width, height] = [numberOf(message.width), numberOf(message.height)]
  refuseLarge(width, height)
  const data = bytesOf(message.data)
  const step = numberOf(message.step) || width * bytes
  if (step < width * bytes || data.byteLength < step * (height - 1) + width * bytes) throw new RangeError('length')
  const raw = { view: new DataView(data.buffer), width, height, step, littleEnd: !message.is_bigendian }
  const painted = painter(raw)
  const pixels = new Uint8ClampedArray(width * height * RGBA)
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1) {
      const to = (row * width + column) * RGBA
      painted(column, row, pixels, to)
      pixels[to + 3] = OPAQUE
    }
  return { width, height, pixels }
}

const isPng = (view: DataView, at: number) => view.byteLength >= at + 24 && view.getUint32(at) === 0x89504e47

/** The size stands in the first frame's head, behind sections that each say their length. */
function sizeOfJpeg(view: DataView): [width: number, height: number] {
  for (let at = 2; at + 9 <= view.byteLength; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint16(at)
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)]
  }
  throw new RangeError('jpeg')
}

function compressed(content: Uint8Array<ArrayBuffer>): Picture {
  const view = new DataView(content.buffer)
  if (view.byteLength > 4 && view.getUint16(0) === 0xffd8) {
    refuseLarge(...sizeOfJpeg(view))
    return { kind: 'image/jpeg', content }
  }
  const at = [0, DEPTH_HEAD].find((place) => isPng(view, place))
  if (at === undefined) throw new TypeError('picture')
  refuseLarge(view.getUint32(at + 16), view.getUint32(at + 20))
  return { kind: 'image/png', content: content.slice(at) }
}

/** Fails on what is no picture, lies about its size, or is in an encoding that nobody here reads. */
export function pictureIn(message: unknown): Picture {
  if (!isMessage(message)) throw new TypeError('message')
  return typeof message.encoding === 'string' ? paint(message.encoding, message) : compressed(bytesOf(message.data))
}

export const bitmapOf = (picture: Picture): Promise<ImageBitmap> =>
  createImageBitmap(
    'content' in picture
      ? new Blob([picture.content], { type: picture.kind })
      : new ImageData(picture.pixels, picture.width, picture.height),
  )
