/** Adverts in their order as a list; `useMoves` gives each its place, and the keys that move it there. */
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type ReactNode, useLayoutEffect, useState } from 'react'
import { Button } from '@/shared/controls/button'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { useAction } from '@/widgets/form/use-action'
import type { Column } from '@/widgets/list/columns'
import styles from './advert.module.css'
import { Small } from './content'
import { isVideo } from './files'
import { isFor, type Row } from './form'
import { AdvertState } from './state'
import { When } from './when'

type Way = 'up' | 'down'

const keyOf = (id: number, way: Way) => `advert-${id}-${way}`

/** The ids with one of them a place further up or down. */
function swapped(ids: readonly number[], id: number, way: Way): number[] {
  const from = ids.indexOf(id)
  const to = from + (way === 'up' ? -1 : 1)
  return ids.map((current, place) => (place === from ? (ids[to] ?? current) : place === to ? id : current))
}

/** The rows as they were ordered last, and what stands in the cell of a row's place. */
export function useMoves(list: readonly Row[] | undefined, movable: boolean) {
  const { t } = useTranslation('advert')
  const { number } = useFormats()
  const order = useAction('/device/orderDeviceAdvertising', t('order'))
  const [ids, setIds] = useState<readonly number[]>() // until the server has them
  const [moved, setMoved] = useState<{ id: number; way: Way; place: number }>()
  const rows = ids ? ids.flatMap((id) => list?.find((row) => row.id === id) ?? []) : (list ?? [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new order has moved the line under the focus
  useLayoutEffect(() => {
    if (!moved) return
    const find = (way: Way) => {
      const key = document.getElementById(keyOf(moved.id, way))
      return key?.matches(':disabled') ? undefined : key
    }
    ;(find(moved.way) ?? find(moved.way === 'up' ? 'down' : 'up'))?.focus()
  }, [moved, rows])
  const move = (row: Row, way: Way) => {
    if (ids) return
    const next = swapped(
      rows.map(({ id }) => id),
      row.id,
      way,
    )
    setIds(next)
    setMoved({ id: row.id, way, place: next.indexOf(row.id) + 1 })
    void order.run({ advertIds: next }, () => undefined).finally(() => setIds(undefined))
  }
  const key = (row: Row, way: Way, disabled: boolean) => {
    const Arrow = way === 'up' ? IconArrowUp : IconArrowDown
    return (
      <Button
        type="text"
        size="small"
        id={keyOf(row.id, way)}
        disabled={disabled}
        icon={<Arrow size={16} stroke={1.75} />}
        aria-label={`${t(`move-${way}`)}: ${row.name}`}
        onClick={() => move(row, way)}
      />
    )
  }
  const cell = (row: Row): ReactNode => {
    const place = rows.indexOf(row)
    return (
      <span className={styles.order}>
        {number(place + 1)}
        {movable && key(row, 'up', place === 0)}
        {movable && key(row, 'down', place === rows.length - 1)}
      </span>
    )
  }
  const named = moved && rows.find(({ id }) => id === moved.id)
  return {
    rows,
    problem: order.problem,
    /** Said to who does not see it. */
    news: named && t('moved', { name: named.name, place: moved.place, count: rows.length }),
    place: (row: Row) => rows.indexOf(row) + 1,
    cell,
  }
}

export const columnsOf = (
  moves: Pick<ReturnType<typeof useMoves>, 'place' | 'cell'>,
  onPreview: (row: Row) => void,
): readonly Column<Row>[] => [
  { key: 'rank', label: 'order', value: moves.place, cell: moves.cell },
  {
    key: 'content',
    label: 'content',
    picture: true,
    value: () => '',
    cell: (row) => <Small key={row.updateTime} row={row} onOpen={() => onPreview(row)} />,
  },
  {
    key: 'name',
    label: 'name',
    heading: true,
    cell: (row, { t, unit }) => (
      <>
        <bdi>{row.name}</bdi>
        <small>{isVideo(row.kind) ? t('video') : `${t('picture')} · ${unit(row.seconds ?? 0, 'second')}`}</small>
      </>
    ),
  },
  {
    key: 'state',
    label: 'state',
    value: ({ state }, { t }) => t(`state-${state}`),
    cell: ({ state }) => <AdvertState state={state} />,
  },
  { key: 'startDate', label: 'when', value: ({ startDate }) => startDate, cell: (row) => <When row={row} /> },
  { key: 'robots', label: 'targets', cell: (row) => <For row={row} /> },
  { key: 'shown', label: 'times-30', value: (row) => row.shown ?? 0 },
  { key: 'userName', label: 'owner' },
]

function For({ row }: { row: Row }) {
  const { t } = useTranslation('advert')
  const types = useCall('/device/selectDeviceType', undefined, { enabled: (row.typeIds?.length ?? 0) > 0 })
  const names = (types.data?.list ?? []).filter(({ typeId }) => row.typeIds?.includes(typeId))
  const chosen = [...names.map(({ typeName }) => typeName), ...(row.deviceIds?.length ? [t('chosen-robots')] : [])]
  return (
    <>
      <bdi>{isFor(row) ? chosen.join(' · ') : t('all-robots')}</bdi>
      <small>{t('count-robots', { count: row.robots })}</small>
    </>
  )
}
