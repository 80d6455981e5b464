/** Definitions of messages, as a robot handed them in. */
import type { MessageDefinition } from '@foxglove/message-definition'

const COUNT = 4 // bytes, of how many entries follow

/**
 * Fails where the entries of an array take no bytes, or a type is a part of itself: as many values could be read from a
 * few bytes as anybody wants. The first of the definitions is that of the messages.
 */
export function demandBytes(definitions: readonly MessageDefinition[]): readonly MessageDefinition[] {
  const known = new Map(definitions.map(({ name, definitions: fields }) => [name ?? '', fields]))
  const sizes = new Map<string, number>()
  const leastOf = (type: string): number => {
    const fields = known.get(type)
    if (!fields) return 1
    const size = sizes.get(type)
    if (size !== undefined) return size
    sizes.set(type, Number.NaN) // until it is known: who comes here again is within itself
    let sum = 0
    for (const field of fields.filter(({ isConstant }) => !isConstant)) {
      const least = leastOf(field.type)
      if (Number.isNaN(least) || (field.isArray && least === 0)) throw new TypeError(field.type)
      sum += field.isArray ? (field.arrayLength === undefined ? COUNT : field.arrayLength * least) : least
    }
    sizes.set(type, sum)
    return sum
  }
  leastOf('')
  return definitions
}
