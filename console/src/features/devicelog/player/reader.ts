/** Reads of a recording no more than what is asked for: ranges of its copy, an indexed MCAP. Runs in a worker. */
import { parse } from '@foxglove/rosmsg'
import { MessageReader } from '@foxglove/rosmsg2-serialization'
import { McapIndexedReader, type McapTypes } from '@mcap/core'
import { unpacker } from './chunks'
import { demandBytes } from './messages/definitions'
import { numbersIn, pick } from './messages/fields'
import { type Picture, pictureIn } from './messages/pictures'
import { poseReader, type Scan, scanIn } from './messages/places'
import { protobufReader } from './messages/protobuf'
import { rosReader } from './messages/ros1'

type Decode = (data: Uint8Array) => unknown
type Readable = McapTypes.IReadable

/** Of one value over time; seconds since the recording's start. */
export interface Series {
  readonly seconds: number[]
  readonly values: number[]
}

/** Where the robot was over time; seconds since the recording's start. */
export interface Places {
  readonly seconds: number[]
  readonly x: number[]
  readonly y: number[]
  readonly yaw: number[]
}

const NS_MS = 1_000_000n
const NS_S = 1e9
const INDEX_BYTES = 8 << 20
/** Points of a line; of each stretch of more the lowest and the highest stay. */
export const MOST_POINTS = 4000

const textOf = (schema: Uint8Array) => new TextDecoder().decode(schema)

const DECODERS: Record<string, (schema: Uint8Array, type: string) => Decode> = {
  ros1: (schema) => rosReader(demandBytes(parse(textOf(schema)))),
  cdr: (schema) => {
    const reader = new MessageReader([...demandBytes(parse(textOf(schema), { ros2: true }))])
    return (data) => reader.readMessage(data)
  },
  protobuf: protobufReader,
  json: () => (data) => JSON.parse(new TextDecoder().decode(data)),
}

export class RecordingReader {
  private readonly decoders = new Map<number, Decode>()

  private constructor(
    private readonly mcap: McapIndexedReader,
    private readonly startNs: bigint,
    private readonly endNs: bigint,
  ) {}

  /** `start`, `end` in ms: what is outside of them bears a wrong time. */
  static async open(readable: Readable, start: number, end: number) {
    const mcap = await McapIndexedReader.Initialize({
      readable,
      decompressHandlers: { zstd: unpacker() },
      messageIndexCacheSizeBytes: INDEX_BYTES,
    })
    return new RecordingReader(mcap, BigInt(start) * NS_MS, (BigInt(end) + 1n) * NS_MS)
  }

  private decode(channelId: number, data: Uint8Array): unknown {
    let decode = this.decoders.get(channelId)
    if (!decode) {
      const channel = this.mcap.channelsById.get(channelId)
      const schema = this.mcap.schemasById.get(channel?.schemaId ?? 0)
      const make = DECODERS[channel?.messageEncoding ?? '']
      if (!make) throw new TypeError(channel?.messageEncoding)
      decode = make(schema?.data ?? new Uint8Array(), schema?.name ?? '')
      this.decoders.set(channelId, decode)
    }
    return decode(data)
  }

  private messages(topic: string) {
    return this.mcap.readMessages({ topics: [topic], startTime: this.startNs, endTime: this.endNs })
  }

  /** Paths of the numbers in the messages of a topic, by its first. */
  async fields(topic: string): Promise<string[]> {
    for await (const { channelId, data } of this.messages(topic)) return numbersIn(this.decode(channelId, data))
    return []
  }

  async series(topic: string, path: string): Promise<Series> {
    const seconds: number[] = []
    const values: number[] = []
    for await (const { channelId, logTime, data } of this.messages(topic)) {
      const value = pick(this.decode(channelId, data), path)
      if (value === undefined) continue
      seconds.push(Number(logTime - this.startNs) / NS_S)
      values.push(value)
    }
    return thin({ seconds, values })
  }

  /** Of many poses each second, third … stays, so that a day of them is a line of some thousand points. */
  async places(topic: string, type: string): Promise<Places> {
    const read = poseReader(type)
    let places: Places = { seconds: [], x: [], y: [], yaw: [] }
    let every = 1
    let count = 0
    for await (const { channelId, logTime, data } of this.messages(topic)) {
      const pose = read(this.decode(channelId, data))
      if (!pose) continue
      count += 1
      if (count % every !== 0) continue
      places.seconds.push(Number(logTime - this.startNs) / NS_S)
      places.x.push(pose.x)
      places.y.push(pose.y)
      places.yaw.push(pose.yaw)
      if (places.seconds.length < 2 * MOST_POINTS) continue
      every *= 2
      places = halved(places)
    }
    return places
  }

  /** The newest scan of a topic at that second. */
  async scan(topic: string, second: number): Promise<Scan | undefined> {
    return scanIn(await this.message(topic, second))
  }

  /** The newest picture of a topic at that second. */
  async picture(topic: string, second: number): Promise<Picture | undefined> {
    const message = await this.message(topic, second)
    return message === undefined ? undefined : pictureIn(message)
  }

  /** The newest message of a topic at that second; undefined: there was none yet. */
  async message(topic: string, second: number): Promise<unknown> {
    const endTime = this.startNs + BigInt(Math.round(second * NS_S))
    const newest = this.mcap.readMessages({ topics: [topic], startTime: this.startNs, endTime, reverse: true })
    for await (const { channelId, data } of newest) return this.decode(channelId, data)
    return undefined
  }
}

function halved({ seconds, x, y, yaw }: Places): Places {
  const half = (values: number[]) => values.filter((_, place) => place % 2 === 0)
  return { seconds: half(seconds), x: half(x), y: half(y), yaw: half(yaw) }
}

export function thin({ seconds, values }: Series): Series {
  if (values.length <= MOST_POINTS) return { seconds, values }
  const stretch = Math.ceil(values.length / (MOST_POINTS / 2))
  const chosen: number[] = []
  for (let from = 0; from < values.length; from += stretch) {
    const places = values.slice(from, from + stretch).map((_, place) => from + place)
    const by = (a: number, b: number) => (values[a] ?? 0) - (values[b] ?? 0)
    const [lowest, highest] = [places.toSorted(by)[0], places.toSorted(by).at(-1)]
    chosen.push(...new Set([lowest, highest].filter((place) => place !== undefined).toSorted((a, b) => a - b)))
  }
  return { seconds: chosen.map((place) => seconds[place] ?? 0), values: chosen.map((place) => values[place] ?? 0) }
}
