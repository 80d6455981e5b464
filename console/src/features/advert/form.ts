/** What the form of an advert holds, and the server's rules for it, said before it is asked. */
import type { TextKey } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import type { FormField, FormRow } from '@/widgets/form/fields'

export type Row = Answer<'/device/selectDeviceAdvertising'>['list'][number]

export type Values = Readonly<{
  name: string
  seconds: number | null
  startDate: string | null
  endDate: string | null
  startTime: string
  endTime: string
  /** Not for every robot: for those of `typeIds` and those named. */
  some: boolean
  typeIds: readonly number[]
  deviceIds: readonly number[]
}>

export const NEW: Values = {
  ...{ name: '', seconds: 10, startDate: null, endDate: null, startTime: '', endTime: '' },
  ...{ some: false, typeIds: [], deviceIds: [] },
}

const LONGEST_S = 3600
const TARGETS = ['typeIds', 'deviceIds']

export const FIELDS: readonly FormField<keyof Values, TextKey<'advert'>>[] = [
  { name: 'name', label: 'name', rule: (name) => (String(name).trim() ? undefined : 'fault-name') },
  {
    name: 'seconds',
    label: 'seconds',
    rule: (seconds) => (Number(seconds) >= 1 && Number(seconds) <= LONGEST_S ? undefined : 'fault-seconds'),
  },
  { name: 'startDate', label: 'days' },
  { name: 'endDate', label: 'days' },
  { name: 'startTime', label: 'hours' },
  {
    name: 'endTime',
    label: 'hours',
    rule: (end, { startTime }) => (Boolean(startTime) === Boolean(end) ? undefined : 'fault-hours'),
  },
  {
    name: 'some',
    label: 'targets',
    rule: (some, all) => (some && !isFor(all as Values) ? 'fault-targets' : undefined),
  },
  { name: 'typeIds', label: 'targets' },
  { name: 'deviceIds', label: 'targets' },
]

export const isFor = ({ typeIds, deviceIds }: Pick<Row | Values, 'typeIds' | 'deviceIds'>) =>
  (typeIds?.length ?? 0) + (deviceIds?.length ?? 0) > 0

export const formRowOf = (row: Row): FormRow & Values => ({
  name: row.name,
  seconds: row.seconds ?? null,
  startDate: row.startDate ?? null,
  endDate: row.endDate ?? null,
  startTime: row.startTime ?? '',
  endTime: row.endTime ?? '',
  some: isFor(row),
  typeIds: row.typeIds ?? [],
  deviceIds: row.deviceIds ?? [],
  updateTime: row.updateTime,
})

/** As the server takes it. */
export const payloadOf = ({ some, typeIds, deviceIds, seconds, ...rest }: Values) => ({
  ...rest,
  name: rest.name.trim(),
  seconds: seconds ?? 10,
  typeIds: some ? [...typeIds] : [],
  deviceIds: some ? [...deviceIds] : [],
})

/** Whose targets go, goes with whether they are some. */
export const given = (names: readonly string[]) =>
  names.some((name) => TARGETS.includes(name)) ? [...names, 'some'] : names

const CONTENT: Readonly<Record<string, TextKey<'advert'>>> = {
  place: 'content',
  kind: 'content',
  size: 'content',
  rank: 'order',
}

/** Key of the text for a field that somebody else has changed. */
export const wordOf = (name: string) =>
  FIELDS.find((field) => field.name === name)?.label ?? CONTENT[name] ?? 'shell:other-data'
