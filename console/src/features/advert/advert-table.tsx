/** Adverts in their order, with what can be done with each at the end of its line. */
import { IconArrowDown, IconArrowUp, IconPencil, IconTrash } from '@tabler/icons-react'
import { Button } from 'antd'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { useCall } from '@/shared/rpc/hooks'
import { Table } from '@/shared/ui/table'
import { LineAction } from '@/widgets/list/line-action'
import styles from './advert.module.css'
import { Small } from './content'
import { isVideo } from './files'
import { isFor, type Row } from './form'
import { AdvertState } from './state'
import { When } from './when'

export type Way = 'up' | 'down'

interface Props {
  rows: readonly Row[]
  /** Which was moved last: the keys stay on it. */
  moved: { id: number; way: Way } | undefined
  /** Missing where not all are listed: then their order cannot be seen. */
  onMove?: ((row: Row, way: Way) => void) | undefined
  onPreview(row: Row): void
  onEdit(row: Row): void
  onDelete(row: Row): void
}

const COLUMNS = ['order', 'content', 'name', 'state', 'when', 'targets', 'owner']

export function AdvertTable({ rows, moved, onMove, onPreview, onEdit, onDelete }: Props) {
  const { t } = useTranslation('advert')
  const { number, unit } = useFormats()
  const body = useRef<HTMLTableSectionElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new order has moved the line under the focus
  useLayoutEffect(() => {
    if (!moved) return
    const find = (way: Way) =>
      body.current?.querySelector<HTMLButtonElement>(`[data-move="${moved.id}-${way}"]:not(:disabled)`)
    const button = find(moved.way) ?? find(moved.way === 'up' ? 'down' : 'up')
    button?.focus()
  }, [moved, rows])
  const move = (row: Row, way: Way, disabled: boolean) => {
    const Arrow = way === 'up' ? IconArrowUp : IconArrowDown
    return (
      <Button
        type="text"
        size="small"
        data-move={`${row.id}-${way}`}
        disabled={disabled}
        icon={<Arrow size={16} stroke={1.75} />}
        aria-label={`${t(`move-${way}`)}: ${row.name}`}
        onClick={() => onMove?.(row, way)}
      />
    )
  }
  return (
    <Table
      label={t('advertising')}
      head={COLUMNS.map((column) => <th key={column}>{t(column)}</th>)}
      className={styles.table}
      ref={body}
    >
      {rows.map((row, place) => (
        <tr key={row.id}>
          <td>
            <span className={styles.order}>
              {number(place + 1)}
              {onMove && move(row, 'up', place === 0)}
              {onMove && move(row, 'down', place === rows.length - 1)}
            </span>
          </td>
          <td>
            <Small key={row.updateTime} row={row} onOpen={() => onPreview(row)} />
          </td>
          <th scope="row">
            <bdi>{row.name}</bdi>
            <span className={styles.remark}>
              {isVideo(row.kind) ? t('video') : `${t('picture')} · ${unit(row.seconds ?? 0, 'second')}`}
            </span>
          </th>
          <td>
            <AdvertState state={row.state} />
          </td>
          <td>
            <When row={row} />
          </td>
          <td>
            <For row={row} />
          </td>
          <td>
            <bdi>{row.userName}</bdi>
          </td>
          <td data-actions>
            <LineAction icon={IconPencil} label={t('edit')} name={row.name} onClick={() => onEdit(row)} />
            <LineAction danger icon={IconTrash} label={t('delete')} name={row.name} onClick={() => onDelete(row)} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

function For({ row }: { row: Row }) {
  const { t } = useTranslation('advert')
  const types = useCall('/device/selectDeviceType', undefined, { enabled: (row.typeIds?.length ?? 0) > 0 })
  const names = (types.data?.list ?? []).filter(({ typeId }) => row.typeIds?.includes(typeId))
  const chosen = [...names.map(({ typeName }) => typeName), ...(row.deviceIds?.length ? [t('chosen-robots')] : [])]
  return (
    <>
      <bdi>{isFor(row) ? chosen.join(' · ') : t('all-robots')}</bdi>
      <span className={styles.remark}>{t('count-robots', { count: row.robots })}</span>
    </>
  )
}
