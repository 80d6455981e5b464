/** Messages of protobuf by the set of descriptors that a recording carries. Nothing of it becomes code. */
import { createFileRegistry, type DescField, fromBinary } from '@bufbuild/protobuf'
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect'
import { FeatureSet_FieldPresence, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'

type Plain = Record<string, unknown>

/** Fields by their own names; what is not set, and may be, is left out. */
const plain = (message: ReflectMessage): Plain =>
  Object.fromEntries(
    message.fields
      .filter((field) => isAlways(field) || message.isSet(field))
      .map((field) => [field.name, contentOf(message, field)]),
  )

const isAlways = ({ fieldKind, presence }: DescField) =>
  fieldKind === 'list' || fieldKind === 'map' || presence === FeatureSet_FieldPresence.IMPLICIT

function contentOf(message: ReflectMessage, field: DescField): unknown {
  switch (field.fieldKind) {
    case 'list':
      return Array.from(message.get(field), entryOf)
    case 'map':
      return Object.fromEntries(Array.from(message.get(field), ([key, entry]) => [String(key), entryOf(entry)]))
    default:
      return entryOf(message.get(field))
  }
}

const isMessage = (value: unknown): value is ReflectMessage =>
  typeof value === 'object' && value !== null && 'desc' in value
const entryOf = (entry: unknown) => (isMessage(entry) ? plain(entry) : entry)

/** `schema`: a FileDescriptorSet; `type`: the full name of the messages. */
export function protobufReader(schema: Uint8Array, type: string): (data: Uint8Array) => unknown {
  const described = createFileRegistry(fromBinary(FileDescriptorSetSchema, schema)).getMessage(type)
  if (!described) throw new TypeError(type)
  return (data) => plain(reflect(described, fromBinary(described, data)))
}
