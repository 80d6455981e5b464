/** What the player shows stands in the address: the recording, the second, each value as its topic and path, and the camera. */
import { readId, useParams } from '../params'

export interface Value {
  readonly topic: string
  readonly path: string
}

export const keyOf = ({ topic, path }: Value) => `${topic} ${path}`

const NAMES = { recording: 'recording', second: 'second', value: 'value', camera: 'camera' } as const
const MOST_VALUES = 10
const DECIMALS = 3

function readValue(text: string): Value[] {
  const [topic, path] = text.split(' ')
  return topic && path ? [{ topic, path }] : []
}

export function usePlayerAddress() {
  const { params, change } = useParams()
  const second = Number(params.get(NAMES.second))
  return {
    recording: readId(params.get(NAMES.recording)),
    second: Number.isFinite(second) && second > 0 ? second : 0,
    values: params.getAll(NAMES.value).flatMap(readValue).slice(0, MOST_VALUES),
    camera: params.get(NAMES.camera) ?? '',
    open: (recording: number) => change((next) => next.set(NAMES.recording, String(recording))),
    close: () =>
      change((next) => {
        for (const name of Object.values(NAMES)) next.delete(name)
      }),
    setSecond: (at: number) => change((next) => next.set(NAMES.second, String(Number(at.toFixed(DECIMALS))))),
    setCamera: (topic: string) => change((next) => next.set(NAMES.camera, topic)),
    setValues: (values: readonly Value[]) =>
      change((next) => {
        next.delete(NAMES.value)
        for (const value of values.slice(0, MOST_VALUES)) next.append(NAMES.value, keyOf(value))
      }),
  }
}
