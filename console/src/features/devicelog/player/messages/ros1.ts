/** Messages of ROS 1 by their definitions. Nothing of a definition becomes code: it is what a robot handed in. */
import type { MessageDefinition, MessageDefinitionField } from '@foxglove/message-definition'

type Read = (view: DataView, at: number) => unknown
type Types = ReadonlyMap<string, readonly MessageDefinitionField[]>

const NS = 1e-9
const LENGTH = 4 // bytes
const PLAIN: Record<string, readonly [size: number, read: Read]> = {
  bool: [1, (view, at) => view.getUint8(at) !== 0],
  int8: [1, (view, at) => view.getInt8(at)],
  uint8: [1, (view, at) => view.getUint8(at)],
  int16: [2, (view, at) => view.getInt16(at, true)],
  uint16: [2, (view, at) => view.getUint16(at, true)],
  int32: [4, (view, at) => view.getInt32(at, true)],
  uint32: [4, (view, at) => view.getUint32(at, true)],
  int64: [8, (view, at) => Number(view.getBigInt64(at, true))],
  uint64: [8, (view, at) => Number(view.getBigUint64(at, true))],
  float32: [4, (view, at) => view.getFloat32(at, true)],
  float64: [8, (view, at) => view.getFloat64(at, true)],
  time: [8, (view, at) => view.getUint32(at, true) + view.getUint32(at + LENGTH, true) * NS],
  duration: [8, (view, at) => view.getInt32(at, true) + view.getInt32(at + LENGTH, true) * NS],
}

class Cursor {
  at = 0
  constructor(
    readonly view: DataView,
    readonly types: Types,
  ) {}

  length() {
    const value = this.view.getUint32(this.at, true)
    this.at += LENGTH
    // Each entry takes a byte at least: a length that lies ends here, and not in the memory.
    if (value > this.view.byteLength) throw new RangeError('length')
    return value
  }

  bytes(size: number) {
    if (this.at + size > this.view.byteLength) throw new RangeError('length')
    const bytes = new Uint8Array(this.view.buffer, this.view.byteOffset + this.at, size)
    this.at += size
    return bytes
  }

  text() {
    return new TextDecoder().decode(this.bytes(this.length()))
  }

  value(type: string): unknown {
    if (type === 'string') return this.text()
    const plain = PLAIN[type]
    if (!plain) return this.message(type)
    const value = plain[1](this.view, this.at)
    this.at += plain[0]
    return value
  }

  message(type: string): Record<string, unknown> {
    const fields = this.types.get(type)
    if (!fields) throw new TypeError(type)
    return Object.fromEntries(
      fields.filter(({ isConstant }) => !isConstant).map((field) => [field.name, this.field(field)]),
    )
  }

  field({ type, isArray, arrayLength }: MessageDefinitionField): unknown {
    if (!isArray) return this.value(type)
    if (type === 'uint8') return this.bytes(arrayLength ?? this.length()).slice()
    return Array.from({ length: arrayLength ?? this.length() }, () => this.value(type))
  }
}

/** The first of the definitions is that of the messages. */
export function rosReader(definitions: readonly MessageDefinition[]): (data: Uint8Array) => unknown {
  const types: Types = new Map(definitions.map(({ name, definitions: fields }) => [name ?? '', fields]))
  return (data) => new Cursor(new DataView(data.buffer, data.byteOffset, data.byteLength), types).message('')
}
