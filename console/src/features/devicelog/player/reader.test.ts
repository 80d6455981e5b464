import { create, toBinary } from '@bufbuild/protobuf'
import {
  FileDescriptorSetSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt'
import { McapWriter } from '@mcap/core'
import { expect, test } from 'vitest'
import { unpacker } from './chunks'
import { numbersIn, pick, write } from './messages/fields'
import { MOST_POINTS, RecordingReader, thin } from './reader'

const START = 1_790_000_000_000
const NS_MS = 1_000_000n
const POINT = `float64 x
uint8 K=3
string name
int32[] ranges
Part part
time stamp
================================================================================
MSG: a/Part
bool on
float32[2] pair
`

/** `x` of a ROS 1 message of POINT, by hand: little end first, strings and lists with their length. */
function rosMessage(x: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 + 4 + 2 + 4 + 8 + 1 + 8 + 8))
  view.setFloat64(0, x, true)
  view.setUint32(8, 2, true)
  view.setUint8(12, 'h'.charCodeAt(0))
  view.setUint8(13, 'i'.charCodeAt(0))
  view.setUint32(14, 2, true)
  view.setInt32(18, -5, true)
  view.setInt32(22, 7, true)
  view.setUint8(26, 1)
  view.setFloat32(27, 1.5, true)
  view.setFloat32(31, 2.5, true)
  view.setUint32(35, 12, true)
  view.setUint32(39, 500_000_000, true)
  return new Uint8Array(view.buffer)
}

/** `float64 value` as CDR: four bytes that say the order, then the value. */
function cdrMessage(value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(12))
  view.setUint8(1, 1)
  view.setFloat64(4, value, true)
  return new Uint8Array(view.buffer)
}

const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

interface Topic {
  topic: string
  encoding: string
  schema: string | Uint8Array
  messages: readonly (readonly [ms: number, data: Uint8Array])[]
}

async function recording(topics: readonly Topic[], end = START + 10_000) {
  const parts: Uint8Array[] = []
  let size = 0n
  const writer = new McapWriter({
    writable: {
      position: () => size,
      write: async (bytes: Uint8Array) => {
        parts.push(bytes.slice())
        size += BigInt(bytes.length)
      },
    },
  })
  await writer.start({ library: '', profile: '' })
  for (const { topic, encoding, schema, messages } of topics) {
    const schemaId = await writer.registerSchema({
      name: encoding === 'protobuf' ? 'a.Point' : 'a/Point',
      encoding: `${encoding}msg`,
      data: typeof schema === 'string' ? new TextEncoder().encode(schema) : schema,
    })
    const channelId = await writer.registerChannel({ schemaId, topic, messageEncoding: encoding, metadata: new Map() })
    for (const [ms, data] of messages) {
      const logTime = BigInt(ms) * NS_MS
      await writer.addMessage({ channelId, sequence: 0, logTime, publishTime: logTime, data })
    }
  }
  await writer.end()
  const whole = new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer())
  const readable = {
    size: async () => BigInt(whole.length),
    read: async (offset: bigint, length: bigint) => whole.slice(Number(offset), Number(offset + length)),
  }
  return RecordingReader.open(readable, START, end)
}

test('messages of ROS 1, ROS 2 and JSON say their numbers, and these run over time', async () => {
  const at = (value: (step: number) => Uint8Array) => [0, 1, 2].map((s) => [START + s * 1000, value(s)] as const)
  const reader = await recording([
    { topic: '/ros1', encoding: 'ros1', schema: POINT, messages: at(rosMessage) },
    { topic: '/cdr', encoding: 'cdr', schema: 'float64 value', messages: at((s) => cdrMessage(s * 2)) },
    { topic: '/json', encoding: 'json', schema: '', messages: at((s) => json({ a: { b: [s, true] }, text: 'no' })) },
  ])
  expect(await reader.fields('/ros1')).toEqual([
    ...['x', 'ranges.0', 'ranges.1', 'part.on', 'part.pair.0', 'part.pair.1', 'stamp'],
  ])
  expect(await reader.series('/ros1', 'x')).toEqual({ seconds: [0, 1, 2], values: [0, 1, 2] })
  expect((await reader.series('/ros1', 'ranges.0')).values).toEqual([-5, -5, -5])
  expect((await reader.series('/ros1', 'stamp')).values[0]).toBeCloseTo(12.5)
  expect(await reader.message('/ros1', 0)).toMatchObject({ name: 'hi', part: { on: true, pair: [1.5, 2.5] } })
  expect(await reader.fields('/cdr')).toEqual(['value'])
  expect((await reader.series('/cdr', 'value')).values).toEqual([0, 2, 4])
  expect(await reader.fields('/json')).toEqual(['a.b.0', 'a.b.1'])
  expect(await reader.fields('/none')).toEqual([])
})

/** `x` always has a value, `level` may be unset, `part` and `names` hold more. */
const PROTOBUF = toBinary(
  FileDescriptorSetSchema,
  create(FileDescriptorSetSchema, {
    file: [
      {
        ...{ name: 'a.proto', package: 'a', syntax: 'proto3' },
        messageType: [
          {
            name: 'Point',
            oneofDecl: [{ name: '_level' }],
            field: [
              { name: 'x', number: 1, type: Type.DOUBLE, label: Label.OPTIONAL },
              { name: 'wheel_speeds', number: 2, type: Type.INT32, label: Label.REPEATED },
              { name: 'part', number: 3, type: Type.MESSAGE, typeName: '.a.Point', label: Label.OPTIONAL },
              {
                name: 'level',
                number: 4,
                type: Type.INT32,
                label: Label.OPTIONAL,
                oneofIndex: 0,
                proto3Optional: true,
              },
              { name: 'data', number: 5, type: Type.BYTES, label: Label.OPTIONAL },
              { name: 'counts', number: 6, type: Type.MESSAGE, typeName: '.a.Point.Entry', label: Label.REPEATED },
            ],
            nestedType: [
              {
                name: 'Entry',
                options: { mapEntry: true },
                field: [
                  { name: 'key', number: 1, type: Type.STRING, label: Label.OPTIONAL },
                  { name: 'value', number: 2, type: Type.INT64, label: Label.OPTIONAL },
                ],
              },
            ],
          },
        ],
      },
    ],
  }),
)
/** wheel_speeds 3 and 4; part.level 5; data; counts.n 6. */
const POINT_BYTES = [0x12, 2, 3, 4, 0x1a, 2, 0x20, 5, 0x2a, 2, 9, 9, 0x32, 5, 0x0a, 1, 0x6e, 0x10, 6]

test('messages of protobuf say their numbers by the names of their fields, and end where they are too deep', async () => {
  const bytes = Uint8Array.from(POINT_BYTES)
  const deep = Array.from({ length: 200 }).reduce<Uint8Array>((inner) => {
    const length = inner.length < 128 ? [inner.length] : [(inner.length & 127) | 128, inner.length >> 7]
    return Uint8Array.from([0x1a, ...length, ...inner])
  }, new Uint8Array())
  const reader = await recording([
    { topic: '/proto', encoding: 'protobuf', schema: PROTOBUF, messages: [[START, bytes]] },
    { topic: '/deep', encoding: 'protobuf', schema: PROTOBUF, messages: [[START, deep]] },
  ])
  expect(await reader.message('/proto', 0)).toEqual({
    ...{ x: 0, wheel_speeds: [3, 4], data: Uint8Array.from([9, 9]), counts: { n: 6n } },
    part: { x: 0, wheel_speeds: [], level: 5, data: new Uint8Array(), counts: {} },
  })
  expect(await reader.fields('/proto')).toEqual([
    ...['x', 'wheel_speeds.0', 'wheel_speeds.1', 'part.x', 'part.level', 'data.0', 'data.1', 'counts.n'],
  ])
  expect(await reader.series('/proto', 'counts.n')).toEqual({ seconds: [0], values: [6] })
  await expect(reader.message('/deep', 0)).rejects.toThrow('recursion')
})

test('a picture is the newest until a second, whatever its message is written in', async () => {
  const head = Uint8Array.from([1, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0, ...new TextEncoder().encode('mono8')])
  const schema = 'uint32 height\nuint32 width\nstring encoding\nuint8[] data'
  const image = (grey: number) => Uint8Array.from([...head, 1, 0, 0, 0, grey])
  const reader = await recording([
    { topic: '/ros1', encoding: 'ros1', schema, messages: [1, 2].map((s) => [START + s * 1000, image(s)] as const) },
    {
      ...{ topic: '/json', encoding: 'json', schema: '' },
      messages: [[START, json({ width: 1, height: 1, encoding: 'mono8', data: btoa('\x07') })]],
    },
  ])
  expect(await reader.picture('/ros1', 0.5)).toBeUndefined()
  expect(await reader.picture('/ros1', 1.5)).toMatchObject({ pixels: Uint8ClampedArray.from([1, 1, 1, 255]) })
  expect(await reader.picture('/json', 9)).toMatchObject({ pixels: Uint8ClampedArray.from([7, 7, 7, 255]) })
})

test('at a second stands the newest message until then, and what bears a wrong time is passed over', async () => {
  const reader = await recording([
    {
      ...{ topic: '/json', encoding: 'json', schema: '' },
      messages: [
        [0, json({ n: 9 })],
        [START + 1000, json({ n: 1 })],
        [START + 2000, json({ n: 2 })],
        [START + 90_000_000, json({ n: 3 })],
      ],
    },
  ])
  expect(await reader.series('/json', 'n')).toEqual({ seconds: [1, 2], values: [1, 2] })
  expect(await reader.message('/json', 0.5)).toBeUndefined()
  expect(await reader.message('/json', 1.5)).toEqual({ n: 1 })
  expect(await reader.message('/json', 5)).toEqual({ n: 2 })
})

/** Billions of values that take no byte. */
const HOLLOW = `a/Row[100000] rows
================
MSG: a/Row
a/Nothing[100000] none
================
MSG: a/Nothing
uint8 CONSTANT=1`

test('a length that lies, a type that holds itself and an unknown encoding fail and take no memory', async () => {
  const lying = new Uint8Array([255, 255, 255, 127])
  const reader = await recording([
    { topic: '/lying', encoding: 'ros1', schema: 'string text', messages: [[START, lying]] },
    { topic: '/circle', encoding: 'ros1', schema: 'Point again', messages: [[START, lying]] },
    {
      topic: '/bytes',
      encoding: 'ros1',
      schema: 'uint8[] data',
      messages: [[START, Uint8Array.from([4, 0, 0, 0, 1])]],
    },
    { topic: '/hollow', encoding: 'ros1', schema: HOLLOW, messages: [[START, lying]] },
    { topic: '/hollow2', encoding: 'cdr', schema: HOLLOW, messages: [[START, new Uint8Array(64)]] },
    { topic: '/undescribed', encoding: 'protobuf', schema: '', messages: [[START, lying]] },
    { topic: '/other', encoding: 'flatbuffer', schema: '', messages: [[START, lying]] },
  ])
  for (const topic of ['/lying', '/circle', '/bytes', '/hollow', '/hollow2', '/undescribed', '/other'])
    await expect(reader.fields(topic)).rejects.toThrow()
})

test('distinguish chunks that are nearly the same, and unpack none that claims to be huge', () => {
  const unpack = unpacker()
  const raw = (byte: number) => Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, 2, 0x11, 0, 0, 7, byte])
  expect([...unpack(raw(1), 2n)]).toEqual([7, 1])
  expect([...unpack(raw(2), 2n)]).toEqual([7, 2])
  expect(unpack(raw(1), 2n)).toBe(unpack(raw(1), 2n))
  expect(() => unpack(raw(3), 1n << 40n)).toThrow(RangeError)
})

test('of a long line the lowest and the highest of each stretch stay', () => {
  const values = Array.from({ length: 100_000 }, (_, place) => (place === 54_321 ? 1e6 : Math.sin(place / 50)))
  const line = thin({ seconds: values.map((_, place) => place), values })
  expect(line.values.length).toBeLessThanOrEqual(MOST_POINTS)
  expect(line.values).toContain(1e6)
  expect(line.seconds).toEqual(line.seconds.toSorted((a, b) => a - b))
})

test('long lists are no lines to plot, and are cut where they are written', () => {
  const message = { ranges: new Float32Array(400), count: 5n, flag: false, none: null }
  expect(numbersIn(message)).toEqual(['count', 'flag'])
  expect(pick(message, 'count')).toBe(5)
  expect(pick(message, 'ranges.3')).toBe(0)
  expect(pick(message, 'none.deeper')).toBeUndefined()
  expect(JSON.parse(write(message)).ranges.at(-1)).toBe('… 384')
  expect(write(message)).toContain('"count": "5"')
})
