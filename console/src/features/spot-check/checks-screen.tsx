/** /device/spotCheck: zones that people graded, beside what the machine swept of them. */
import { IconEye, IconPhoto, IconPrinter, IconTrash } from '@tabler/icons-react'
import { Select } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useTranslation } from '@/shared/i18n/text'
import { useMay } from '@/shared/session/session'
import { Row } from '@/shared/ui/layout'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { DeleteDialog } from '@/widgets/form/delete-dialog'
import { OwnerTree } from '@/widgets/form/owner-tree'
import { useAction } from '@/widgets/form/use-action'
import type { Column } from '@/widgets/list/columns'
import { Days } from '@/widgets/list/days'
import { choice, date, filters, number, words } from '@/widgets/list/filters'
import { LineAction } from '@/widgets/list/line-action'
import { LinkButton } from '@/widgets/list/link-button'
import { ListView } from '@/widgets/list/list-view'
import { Search } from '@/widgets/list/search'
import { usePagedList } from '@/widgets/list/use-paged-list'
import { reportPath } from '@/widgets/paths'
import { toMs } from '@/widgets/time'
import { CheckDialog } from './check-dialog'
import type { CheckRow } from './row'
import { Score } from './score'
import styles from './spot-check.module.css'
import { usePlaceName, useZoneName } from './zone'

const AT_MOST = [2, 3, 4] as const

const FILTERS = filters({
  text: words((text) => ({ text })),
  most: choice(AT_MOST, (most) => ({ most })),
  map: number((mapId) => ({ mapId })),
  owner: number((userId) => ({ userId }), 'userId'),
  from: date((startDate) => ({ startDate })),
  to: date((endDate) => ({ endDate })),
})

function ZoneCell({ row }: { row: CheckRow }) {
  const zone = useZoneName()
  const place = usePlaceName()
  return (
    <>
      <bdi>{zone(row)}</bdi>
      <small>
        <bdi>{place(row)}</bdi>
      </small>
    </>
  )
}

const COLUMNS: readonly Column<CheckRow>[] = [
  {
    key: 'zone',
    label: 'zone',
    heading: true,
    value: ({ name, room }, { t }) => name || t(room === '' ? 'common:whole-floor' : 'room-unnamed'),
    cell: (row) => <ZoneCell row={row} />,
  },
  { key: 'building', label: 'building', extra: true },
  { key: 'floor', label: 'floor', extra: true },
  { key: 'score', label: 'grade', cell: ({ score }) => <Score score={score} /> },
  {
    key: 'coverage',
    label: 'common:machine-coverage',
    number: true,
    value: ({ run }) => run && run.coverage / 1000,
    cell: ({ run }, { percent }) => run && <Coverage run={run} text={percent(run.coverage / 1000, 1)} />,
  },
  {
    key: 'time',
    label: 'time',
    cell: ({ time }, { dateTime }) => dateTime(toMs(time) ?? 0),
  },
  { key: 'inspector', label: 'inspector' },
  {
    key: 'note',
    label: 'note',
    cut: true,
    cell: ({ note, hasPhoto }, { t }) => (
      <Row as="span" inline gap="xs" align="center">
        {hasPhoto && <IconPhoto size={16} stroke={1.75} role="img" aria-label={t('photo')} />}
        <bdi>{note}</bdi>
      </Row>
    ),
  },
]

function Coverage({ run, text }: { run: NonNullable<CheckRow['run']>; text: string }) {
  const reads = useMay('device/report')
  return reads && run.taskReportId !== null ? <Link to={reportPath(run.taskReportId)}>{text}</Link> : text
}

export function SpotChecksScreen() {
  const { t } = useTranslation('spotcheck')
  const mayDelete = useMay('device/spotCheck/delete')
  const { values, change, list } = usePagedList('/spotCheck/list', FILTERS)
  const [open, setOpen] = useState<CheckRow>()
  const [leaving, setLeaving] = useState<CheckRow>()
  const sheets = (
    <LinkButton to="/device/spotCheck/sheets" icon={<IconPrinter size={16} stroke={1.75} />}>
      {t('print-sheets')}
    </LinkButton>
  )
  return (
    <Page>
      <ListView
        name="spotCheck"
        texts="spotcheck"
        label={t('common:spot-checks')}
        columns={COLUMNS}
        {...list}
        idOf={({ id }) => id}
        onOpen={(row) => setOpen(row)}
        className={styles.table}
        height={47}
        empty={<Nothing why={t('none')} action={sheets} />}
        tools={sheets}
        actions={(row) => (
          <RowActions row={row} onOpen={setOpen} onDelete={mayDelete && row.ours ? setLeaving : undefined} />
        )}
        search={
          <Search text={values.text} hint={t('search')} onSearch={(text) => change({ text })}>
            <Select
              aria-label={t('grade')}
              value={values.most ?? null}
              placeholder={t('every-grade')}
              allowClear
              popupMatchSelectWidth={false}
              options={AT_MOST.map((value) => ({ value, label: t('at-most', { grade: value }) }))}
              onChange={(most: (typeof AT_MOST)[number] | null | undefined) => change({ most: most ?? undefined })}
            />
            <OwnerTree value={values.owner} onChange={(owner) => change({ owner })} />
            <Days {...values} onChange={change} />
          </Search>
        }
      />
      {open && <CheckDialog check={open} onClose={() => setOpen(undefined)} />}
      {leaving && <Deletion row={leaving} onClose={() => setLeaving(undefined)} />}
    </Page>
  )
}

interface ActionsProps {
  row: CheckRow
  onOpen(row: CheckRow): void
  onDelete: ((row: CheckRow) => void) | undefined
}

function RowActions({ row, onOpen, onDelete }: ActionsProps) {
  const { t } = useTranslation('spotcheck')
  const name = useZoneName()(row)
  return (
    <>
      <LineAction icon={IconEye} label={t('show')} name={name} onClick={() => onOpen(row)} />
      {onDelete && <LineAction danger icon={IconTrash} label={t('delete')} name={name} onClick={() => onDelete(row)} />}
    </>
  )
}

function Deletion({ row, onClose }: { row: CheckRow; onClose(): void }) {
  const { t } = useTranslation('spotcheck')
  const name = useZoneName()(row)
  const action = useAction('/spotCheck/deleteSpotCheck', t('delete'))
  return (
    <DeleteDialog name={name} action={action} onDelete={() => action.run({ id: row.id }, onClose)} onClose={onClose} />
  )
}
