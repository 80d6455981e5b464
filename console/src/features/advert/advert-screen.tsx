/** /device/ad: pictures and videos that robots show, and what one robot would show now. */
import { Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Page } from '@/shared/ui/panel'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import { DeleteDialog } from '@/widgets/form/delete-dialog'
import { DevicePicker } from '@/widgets/form/device-picker'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { AddButton } from '@/widgets/list/add-button'
import styles from './advert.module.css'
import { AdvertDialog } from './advert-dialog'
import { AdvertTable, type Way } from './advert-table'
import { Preview } from './content'
import type { Row } from './form'
import { Sequence } from './sequence'
import { STATES } from './state'

const ANEW_MS = 50_000 // the addresses of what is listed open for a minute

/** The ids with one of them a place further up or down. */
function swapped(ids: readonly number[], id: number, way: Way): number[] {
  const from = ids.indexOf(id)
  const to = from + (way === 'up' ? -1 : 1)
  return ids.map((current, place) => (place === from ? (ids[to] ?? current) : place === to ? id : current))
}

function useOrder(list: readonly Row[] | undefined) {
  const { t } = useTranslation('advert')
  const sort = useAction('/device/orderDeviceAdvertising', t('order'))
  const [order, setOrder] = useState<readonly number[]>() // until the server has it
  const [moved, setMoved] = useState<{ id: number; way: Way; place: number }>()
  const rows = order ? order.flatMap((id) => list?.find((row) => row.id === id) ?? []) : (list ?? [])
  const move = (row: Row, way: Way) => {
    if (order) return
    const ids = swapped(
      rows.map(({ id }) => id),
      row.id,
      way,
    )
    setOrder(ids)
    setMoved({ id: row.id, way, place: ids.indexOf(row.id) + 1 })
    void sort.tell({ advertIds: ids }, () => undefined).finally(() => setOrder(undefined))
  }
  return { rows, moved, move, problem: sort.problem }
}

export function AdvertScreen() {
  const { t } = useTranslation('advert')
  const [params, setParams] = useSearchParams()
  const sees = useMay('device/index')
  const robot = Number(params.get('robot')) || undefined
  const state = STATES.find((name) => name === params.get('state'))
  const query = useCall('/device/selectDeviceAdvertising', {}, { refetchInterval: ANEW_MS })
  const [open, setOpen] = useState<number | 'new'>()
  const [previewedRow, setPreviewedRow] = useState<Row>()
  const [leaving, setLeaving] = useState<Row>()
  const { rows, moved, move, problem } = useOrder(query.data?.list)
  const edited = rows.find(({ id }) => id === open)
  const previewed = previewedRow && (rows.find(({ id }) => id === previewedRow.id) ?? previewedRow)
  const add = <AddButton onClick={() => setOpen('new')}>{t('add-advert')}</AddButton>
  const named = moved && rows.find(({ id }) => id === moved.id)
  return (
    <Page>
      <div className={styles.bar}>
        <Segmented
          aria-label={t('state')}
          value={state ?? 'all'}
          disabled={robot !== undefined}
          options={['all', ...STATES].map((value) => ({ value, label: t(`state-${value}`) }))}
          onChange={(next) => setParams(next === 'all' ? {} : { state: next }, { replace: true })}
        />
        {sees && (
          <DevicePicker
            value={robot}
            label={t('what-would-show')}
            placeholder={t('what-would-show')}
            onChange={(id) => setParams(id === undefined ? {} : { robot: String(id) })}
          />
        )}
        <div className={styles.rest}>{add}</div>
      </div>
      <Problem text={problem} />
      <span className="unseen" aria-live="polite">
        {moved && named && t('moved', { name: named.name, place: moved.place, count: rows.length })}
      </span>
      {robot === undefined ? (
        <QueryView
          query={query}
          isEmpty={({ list }) => list.every((row) => state && row.state !== state)}
          filtered={state !== undefined}
          empty={<Nothing why={t('no-adverts')} action={add} />}
        >
          {() => (
            <AdvertTable
              rows={state ? rows.filter((row) => row.state === state) : rows}
              moved={moved}
              onMove={state ? undefined : move}
              onPreview={setPreviewedRow}
              onEdit={(row) => setOpen(row.id)}
              onDelete={setLeaving}
            />
          )}
        </QueryView>
      ) : (
        <Sequence key={robot} deviceId={robot} onPreview={setPreviewedRow} />
      )}
      {(open === 'new' || edited) && (
        <AdvertDialog row={edited} onRefresh={query.refetch} onClose={() => setOpen(undefined)} />
      )}
      {previewed && <Preview row={previewed} onRefresh={query.refetch} onClose={() => setPreviewedRow(undefined)} />}
      {leaving && <Deletion row={leaving} onClose={() => setLeaving(undefined)} />}
    </Page>
  )
}

function Deletion({ row, onClose }: { row: Row; onClose(): void }) {
  const { t } = useTranslation('advert')
  const action = useAction('/device/deleteDeviceAdvertising', t('delete'))
  return (
    <DeleteDialog
      name={row.name}
      action={action}
      onDelete={() => action.run({ id: row.id }, onClose)}
      onClose={onClose}
    >
      <p>{t('delete-how')}</p>
    </DeleteDialog>
  )
}
