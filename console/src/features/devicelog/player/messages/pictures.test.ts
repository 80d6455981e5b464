import { expect, test } from 'vitest'
import { pictureIn, pictureTopics } from './pictures'

const BLACK = [0, 0, 0]
const WHITE = [255, 255, 255]

/** Red, green and blue of each pixel. */
function coloursOf(message: unknown): number[][] {
  const picture = pictureIn(message)
  if (!('pixels' in picture)) throw new Error('no raw picture')
  const pixels = Array.from({ length: picture.width * picture.height }, (_, place) => place * 4)
  return pixels.map((at) => [...picture.pixels.slice(at, at + 3)])
}

const raw = (encoding: string, width: number, height: number, data: readonly number[], more = {}) => ({
  ...{ encoding, width, height, step: 0, is_bigendian: 0, data: Uint8Array.from(data) },
  ...more,
})

test.each([
  ['rgb8', [1, 2, 3, 4, 5, 6]],
  ['bgr8', [3, 2, 1, 6, 5, 4]],
  ['8UC3', [3, 2, 1, 6, 5, 4]],
  ['rgba8', [1, 2, 3, 0, 4, 5, 6, 0]],
  ['bgra8', [3, 2, 1, 0, 6, 5, 4, 0]],
])('colours of %s stand where that encoding has them', (encoding, data) => {
  expect(coloursOf(raw(encoding, 2, 1, data))).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ])
})

test('rows may be longer than their pixels', () => {
  expect(coloursOf(raw('mono8', 1, 2, [7, 99, 99, 8], { step: 3 }))).toEqual([
    [7, 7, 7],
    [8, 8, 8],
  ])
})

test.each([
  ['16UC1', [0, 0, 100, 0, 200, 0], 0],
  ['mono16', [0, 0, 0, 100, 0, 200], 1],
])('depth of %s runs from its nearest to its farthest, and what is no reading is black', (encoding, data, bigEnd) => {
  expect(coloursOf(raw(encoding, 3, 1, data, { is_bigendian: bigEnd }))).toEqual([BLACK, BLACK, WHITE])
})

test('depth in metres is drawn as that in millimetres', () => {
  const data = new Uint8Array(new Float32Array([Number.NaN, 1, 2, 3]).buffer)
  expect(coloursOf({ ...raw('32FC1', 4, 1, []), data })).toEqual([BLACK, BLACK, [128, 128, 128], WHITE])
})

test('a mosaic has the colours of the four that a pixel stands among', () => {
  expect(coloursOf(raw('bayer_rggb8', 2, 2, [10, 20, 40, 50]))[0]).toEqual([10, 30, 50])
  expect(coloursOf(raw('bayer_grbg8', 2, 2, [20, 10, 50, 40]))[3]).toEqual([10, 30, 50])
})

test('pairs of pixels share their difference of colour', () => {
  expect(coloursOf(raw('yuv422', 2, 1, [128, 90, 128, 91]))).toEqual([
    [90, 90, 90],
    [91, 91, 91],
  ])
  expect(coloursOf(raw('yuv422_yuy2', 2, 1, [90, 128, 91, 228]))[0]).toEqual([230, 19, 90])
})

const png = (width: number, height: number) => {
  const view = new DataView(new ArrayBuffer(33))
  view.setUint32(0, 0x89504e47)
  view.setUint32(16, width)
  view.setUint32(20, height)
  return new Uint8Array(view.buffer)
}
/** A section of comments stands before the frame. */
const jpeg = (width: number, height: number) =>
  Uint8Array.from([
    ...[0xff, 0xd8, 0xff, 0xfe, 0, 4, 1, 2, 0xff, 0xc0, 0, 11, 8],
    ...[height >> 8, height & 255, width >> 8, width & 255, 1, 1, 1, 1],
  ])

test('a JPEG, a PNG and a PNG of depth are known by their bytes, in JSON too', () => {
  expect(pictureIn({ format: 'anything', data: jpeg(640, 480) })).toMatchObject({ kind: 'image/jpeg' })
  expect(pictureIn({ format: 'png', data: png(2, 2) })).toMatchObject({ kind: 'image/png' })
  const deep = new Uint8Array([...new Uint8Array(12), ...png(2, 2)])
  expect(pictureIn({ format: '16UC1; compressedDepth', data: deep })).toEqual({ kind: 'image/png', content: png(2, 2) })
  expect(pictureIn({ data: btoa(String.fromCharCode(...png(2, 2))) })).toEqual({
    kind: 'image/png',
    content: png(2, 2),
  })
})

test.each([
  ['fewer bytes than it says', raw('rgb8', 640, 480, [1, 2, 3])],
  ['rows shorter than their pixels', raw('rgb8', 2, 1, [1, 2, 3, 4, 5, 6], { step: 4 })],
  ['no size', raw('mono8', 0, 0, [])],
  ['an encoding that nobody reads', raw('h264', 1, 1, [1])],
  ['more pixels than memory should hold', raw('mono8', 60_000, 60_000, [1])],
  ['a PNG of more pixels', { data: png(60_000, 60_000) }],
  ['a JPEG of more pixels', { data: jpeg(60_000, 60_000) }],
  ['a JPEG without a frame', { data: Uint8Array.from([0xff, 0xd8, 0xff, 0xd9, 0, 0]) }],
  ['no picture', { data: Uint8Array.from([1, 2, 3, 4]) }],
  ['no data', { data: 7 }],
])('%s is refused', (_, message) => {
  expect(() => pictureIn(message)).toThrow()
})

test('topics with pictures are those of ROS 1, ROS 2 and Foxglove that can be read', () => {
  const topic = (type: string, readable = true) => ({ name: type, type, readable })
  const types = ['sensor_msgs/Image', 'sensor_msgs/msg/CompressedImage', 'foxglove.CompressedImage']
  expect(pictureTopics([...types, 'sensor_msgs/LaserScan'].map((type) => topic(type)))).toEqual(types)
  expect(pictureTopics([topic('sensor_msgs/Image', false)])).toEqual([])
})
