/** /device/ad: pictures and videos that robots show, and what one robot would show now. */
import { IconChartBar, IconDeviceTablet, IconPencil, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '@/shared/controls/button'
import { Segment, Segments } from '@/shared/controls/segments'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Toolbar } from '@/shared/ui/layout'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { DeleteDialog } from '@/widgets/form/delete-dialog'
import { DevicePicker } from '@/widgets/form/device-picker'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { AddButton } from '@/widgets/list/add-button'
import { useSort } from '@/widgets/list/columns'
import { choice, filters, number, useFilters } from '@/widgets/list/filters'
import { LineAction } from '@/widgets/list/line-action'
import { ListView } from '@/widgets/list/list-view'
import styles from './advert.module.css'
import { columnsOf, useMoves } from './advert-columns'
import { AdvertDialog } from './advert-dialog'
import { Preview } from './content'
import type { Row } from './form'
import { Sequence } from './sequence'
import { STATES } from './state'

const ROW_PX = 60
const GOOD_MS = 50_000 // the addresses of what is listed open for a minute

const OnRobots = lazy(async () => ({ default: (await import('./on-robots')).OnRobots }))
const Showings = lazy(async () => ({ default: (await import('./showings')).Showings }))

const FILTERS = filters({ state: choice(STATES), robot: number() })

export function AdvertScreen() {
  const { t } = useTranslation('advert')
  const sees = useMay('device/index')
  const { values, narrowed, change, reset } = useFilters(FILTERS)
  const { robot, state } = values
  const query = useCall('/device/selectDeviceAdvertising', {}, { goodMs: GOOD_MS })
  const [open, setOpen] = useState<number | 'new'>()
  const [previewedRow, setPreviewedRow] = useState<Row>()
  const [leaving, setLeaving] = useState<Row>()
  const [counted, setCounted] = useState<Row>()
  const [robots, setRobots] = useState(false)
  const [sort] = useSort()
  const moves = useMoves(query.data?.list, state === undefined && sort === undefined) // else their order cannot be seen
  const { rows } = moves
  const edited = rows.find(({ id }) => id === open)
  const previewed = previewedRow && (rows.find(({ id }) => id === previewedRow.id) ?? previewedRow)
  const add = <AddButton onClick={() => setOpen('new')}>{t('add-advert')}</AddButton>
  const search = (
    <>
      <Segments label={t('state')}>
        {[undefined, ...STATES].map((name) => (
          <Segment key={name ?? 'all'} on={state === name} onChoose={() => change({ state: name, robot: undefined })}>
            {t(`state-${name ?? 'all'}`)}
          </Segment>
        ))}
      </Segments>
      {sees && (
        <DevicePicker
          value={robot}
          label={t('what-would-show')}
          placeholder={t('what-would-show')}
          onChange={(id) => change({ robot: id, state: undefined })}
        />
      )}
    </>
  )
  return (
    <Page>
      <Problem text={moves.problem} />
      <span className="unseen" aria-live="polite">
        {moves.news}
      </span>
      {robot === undefined ? (
        <ListView
          name="advert"
          texts="advert"
          label={t('advertising')}
          columns={columnsOf(moves, setPreviewedRow)}
          query={{
            ...query,
            data: query.data && { list: state ? rows.filter((row) => row.state === state) : rows },
          }}
          idOf={({ id }) => id}
          narrowed={narrowed}
          onReset={reset}
          className={styles.table}
          height={ROW_PX}
          empty={<Nothing why={t('no-adverts')} action={add} />}
          search={search}
          tools={
            <>
              <Button icon={<IconDeviceTablet size={16} stroke={1.75} />} onClick={() => setRobots(true)}>
                {t('on-robots')}
              </Button>
              {add}
            </>
          }
          onOpen={({ id }) => setOpen(id)}
          actions={(row) => (
            <>
              <LineAction icon={IconChartBar} label={t('showings')} name={row.name} onClick={() => setCounted(row)} />
              <LineAction icon={IconPencil} label={t('edit')} name={row.name} onClick={() => setOpen(row.id)} />
              <LineAction danger icon={IconTrash} label={t('delete')} name={row.name} onClick={() => setLeaving(row)} />
            </>
          )}
        />
      ) : (
        <>
          <Toolbar end={add}>{search}</Toolbar>
          <Sequence key={robot} deviceId={robot} onPreview={setPreviewedRow} />
        </>
      )}
      {(open === 'new' || edited) && (
        <AdvertDialog row={edited} onRefresh={query.refetch} onClose={() => setOpen(undefined)} />
      )}
      {previewed && <Preview row={previewed} onRefresh={query.refetch} onClose={() => setPreviewedRow(undefined)} />}
      <Suspense>
        {robots && <OnRobots onClose={() => setRobots(false)} />}
        {counted && <Showings row={counted} onClose={() => setCounted(undefined)} />}
      </Suspense>
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
