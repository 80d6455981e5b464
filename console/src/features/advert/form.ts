/** What the form of an advert holds, and the server's rules for it, said before it is asked. */
import type { Answer } from '@/shared/rpc/contract'

export type Row = Answer<'/device/selectDeviceAdvertising'>['list'][number]

export interface Values {
  readonly name: string
  readonly seconds: number | null
  readonly startDate: string | null
  readonly endDate: string | null
  readonly startTime: string
  readonly endTime: string
  /** Not for every robot: for those of `typeIds` and those named. */
  readonly some: boolean
  readonly typeIds: readonly number[]
  readonly deviceIds: readonly number[]
}

export const NEW: Values = {
  ...{ name: '', seconds: 10, startDate: null, endDate: null, startTime: '', endTime: '' },
  ...{ some: false, typeIds: [], deviceIds: [] },
}

export const isFor = ({ typeIds, deviceIds }: Pick<Row, 'typeIds' | 'deviceIds'>) =>
  (typeIds?.length ?? 0) + (deviceIds?.length ?? 0) > 0

export const valuesOf = (row: Row): Values => ({
  name: row.name,
  seconds: row.seconds ?? null,
  startDate: row.startDate ?? null,
  endDate: row.endDate ?? null,
  startTime: row.startTime ?? '',
  endTime: row.endTime ?? '',
  some: isFor(row),
  typeIds: row.typeIds ?? [],
  deviceIds: row.deviceIds ?? [],
})

/** As the server takes it. */
export const payloadOf = ({ some, typeIds, deviceIds, seconds, ...rest }: Values) => ({
  ...rest,
  name: rest.name.trim(),
  seconds: seconds ?? 10,
  typeIds: some ? [...typeIds] : [],
  deviceIds: some ? [...deviceIds] : [],
})

export type Faults = Readonly<Partial<Record<keyof Values, string>>>

/** Keys of texts. */
export const faultsOf = ({ name, seconds, some, typeIds, deviceIds, startTime, endTime }: Values): Faults => ({
  ...(!name.trim() && { name: 'fault-name' }),
  ...((seconds === null || seconds < 1 || seconds > 3600) && { seconds: 'fault-seconds' }),
  ...(some && typeIds.length + deviceIds.length === 0 && { some: 'fault-targets' }),
  ...(Boolean(startTime) !== Boolean(endTime) && { endTime: 'fault-hours' }),
})

/** What somebody else has made of it, with what was typed here on top. */
export function merged(base: Values, values: Values, theirs: Values): Values {
  const typed = Object.entries(values).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(base[name as keyof Values]),
  )
  return { ...theirs, ...Object.fromEntries(typed) }
}

const WORDS: Readonly<Record<string, string>> = {
  ...{ name: 'name', seconds: 'seconds', startDate: 'days', endDate: 'days', startTime: 'hours', endTime: 'hours' },
  ...{ typeIds: 'targets', deviceIds: 'targets', place: 'content', kind: 'content', size: 'content', rank: 'order' },
}

/** Keys of the texts for fields that somebody else has changed. */
export const wordsOf = (fields: readonly string[]) => [...new Set(fields.flatMap((field) => WORDS[field] ?? []))]
