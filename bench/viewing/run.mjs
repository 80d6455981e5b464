/** What it costs to look into a recording: the console's own reader over a file of 1 GB with pictures, and lines of ten topics
 * over eight hours, a message of each a second. The file is read by ranges as the player does,
 * without a network; a picture is counted in time and in bytes that were asked for. */
import { mkdtemp, open, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zstdCompressSync } from 'node:zlib'

const SHORT = Boolean(process.env.BENCH_SHORT) // just that it still works, judged by no limit
const PICTURES = SHORT ? 20 : 1100
const [WIDTH, HEIGHT] = [640, 512] // of three bytes: 1 GB together
const HOURS = SHORT ? 0.02 : 8
const TOPICS = 10
const START_MS = 1_790_000_000_000
const NS_MS = 1_000_000n
const MB = 1 << 20
const IMAGE = 'uint32 height\nuint32 width\nstring encoding\nuint8 is_bigendian\nuint32 step\nuint8[] data'
const repository = fileURLToPath(new URL('../..', import.meta.url))
const require = createRequire(`${repository}console/package.json`)
const { createServer } = await import(require.resolve('vite').replace(/index\.cjs$/, 'dist/node/index.js'))
const { McapWriter } = require('@mcap/core')

const tell = (name, value, unit, limit) =>
  console.log(JSON.stringify({ name, value: Math.round(value * 1000) / 1000, unit, ...(!SHORT && limit && { limit }) }))

/** As the server's conversion makes it: chunks of 1 MB, zstd. */
async function write(path, fill, encoding = 'ros1') {
  const file = await open(path, 'w')
  let size = 0n
  const writer = new McapWriter({
    writable: {
      position: () => size,
      write: async (bytes) => {
        await file.write(bytes)
        size += BigInt(bytes.length)
      },
    },
    chunkSize: MB,
    compressChunk: (data) => ({ compression: 'zstd', compressedData: zstdCompressSync(data, { level: 1 }) }),
  })
  await writer.start({ library: '', profile: '' })
  await fill(async (topic, schema, name = 'a/B') => {
    const data = new TextEncoder().encode(schema)
    const schemaId = await writer.registerSchema({
      name,
      encoding: encoding === 'json' ? 'jsonschema' : 'ros1msg',
      data,
    })
    const channelId = await writer.registerChannel({ schemaId, topic, messageEncoding: encoding, metadata: new Map() })
    return (ms, message) => {
      const logTime = BigInt(START_MS + ms) * NS_MS
      return writer.addMessage({ channelId, sequence: 0, logTime, publishTime: logTime, data: message })
    }
  })
  await writer.end()
  await file.close()
}

/** The file as the server gives it, by ranges, and how many bytes were asked for. */
async function serve(path) {
  const file = await open(path)
  const { size } = await file.stat()
  const counted = { bytes: 0 }
  globalThis.fetch = async (_, { headers }) => {
    const [first, last] = headers.range.slice('bytes='.length).split('-').map(Number)
    const content = new Uint8Array(last - first + 1)
    await file.read(content, 0, content.length, first)
    counted.bytes += content.length
    return new Response(content, { status: 206, headers: { 'content-range': `bytes ${first}-${last}/${size}` } })
  }
  return { counted, close: () => file.close() }
}

function image() {
  const head = new DataView(new ArrayBuffer(26))
  head.setUint32(0, HEIGHT, true)
  head.setUint32(4, WIDTH, true)
  head.setUint32(8, 4, true)
  new TextEncoder().encodeInto('rgb8', new Uint8Array(head.buffer, 12))
  head.setUint32(17, WIDTH * 3, true)
  head.setUint32(21, WIDTH * HEIGHT * 3, true)
  const message = new Uint8Array(25 + WIDTH * HEIGHT * 3)
  message.set(new Uint8Array(head.buffer, 0, 25))
  return message
}

async function measurePicture(path, { RecordingReader, readRanges }) {
  await write(path, async (addTopic) => {
    const add = await addTopic('/camera', IMAGE)
    const message = image()
    for (let number = 0; number < PICTURES; number += 1) {
      for (let at = 25; at < message.length; at += 65_536) crypto.getRandomValues(message.subarray(at, at + 65_536))
      await add(number * 100, message.slice())
    }
  })
  const { counted, close } = await serve(path)
  const began = performance.now()
  const reader = await RecordingReader.open(readRanges('/recording'), START_MS, START_MS + PICTURES * 100)
  const picture = await reader.picture('/camera', PICTURES / 20)
  if (picture.width !== WIDTH) throw new Error('no picture')
  tell('first picture of 1 GB', (performance.now() - began) / 1000, 's', 0.5)
  tell('first picture of 1 GB, read', counted.bytes / MB, 'MB', 5)
  await close()
}

async function measureLines(path, { RecordingReader, readRanges }) {
  const seconds = Math.round(HOURS * 3600)
  await write(path, async (addTopic) => {
    const adds = []
    for (let topic = 0; topic < TOPICS; topic += 1)
      adds.push(await addTopic(`/topic${topic}`, 'float64 value\nfloat64 other'))
    for (let second = 0; second < seconds; second += 1)
      for (const [topic, add] of adds.entries())
        await add(
          second * 1000,
          new Uint8Array(new Float64Array([Math.sin(second / 60) + topic, Math.random()]).buffer),
        )
  })
  const { close } = await serve(path)
  const began = performance.now()
  const reader = await RecordingReader.open(readRanges('/recording'), START_MS, START_MS + seconds * 1000)
  for (let topic = 0; topic < TOPICS; topic += 1)
    if ((await reader.series(`/topic${topic}`, 'value')).values.length === 0) throw new Error('no line')
  tell('lines of 10 topics over 8 h', (performance.now() - began) / 1000, 's', 2)
  await close()
}

/** As the virtual robot makes it for an alarm: 40 s of poses and scans in JSON. */
async function measureBlackBox(path, { RecordingReader, readRanges }) {
  const json = (value) => new TextEncoder().encode(JSON.stringify(value))
  const ranges = Array.from({ length: 360 }, (_, ray) => 2 + Math.sin(ray / 20))
  await write(
    path,
    async (addTopic) => {
      const pose = await addTopic('/pose', '', 'geometry_msgs/PoseStamped')
      const scan = await addTopic('/scan', '', 'sensor_msgs/LaserScan')
      for (let step = 0; step < 400; step += 1) {
        const position = { x: step / 100, y: 1, z: 0 }
        await pose(step * 100, json({ pose: { position, orientation: { x: 0, y: 0, z: 0, w: 1 } } }))
        await scan(step * 100, json({ angle_min: 0, angle_increment: 0.0175, range_max: 30, ranges }))
      }
    },
    'json',
  )
  const { close } = await serve(path)
  const began = performance.now()
  const reader = await RecordingReader.open(readRanges('/recording'), START_MS, START_MS + 40_000)
  const [places, scan] = [await reader.places('/pose', 'geometry_msgs/PoseStamped'), await reader.scan('/scan', 30)]
  if (places.x.length === 0 || scan.ranges.length !== ranges.length) throw new Error('no way')
  tell('black box, way and scan', (performance.now() - began) / 1000, 's', 1)
  await close()
}

const folder = await mkdtemp(join(tmpdir(), 'lustra-bench-'))
const server = await createServer({
  root: `${repository}console`,
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  optimizeDeps: { noDiscovery: true },
  cacheDir: join(folder, 'vite'),
  server: { middlewareMode: true, hmr: false, watch: null, ws: false },
})
try {
  const player = '/src/features/devicelog/player'
  const [reading, ranges] = await Promise.all(
    ['reader', 'ranges'].map((name) => server.ssrLoadModule(`${player}/${name}.ts`)),
  )
  const reader = { ...reading, ...ranges }
  await measurePicture(join(folder, 'pictures.mcap'), reader)
  await measureBlackBox(join(folder, 'box.mcap'), reader)
  await measureLines(join(folder, 'lines.mcap'), reader)
} finally {
  await server.close()
  await rm(folder, { recursive: true, force: true })
}
