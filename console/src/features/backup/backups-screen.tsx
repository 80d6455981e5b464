/** /device/dataBackup: backups of robots, what they hold, and the robots that hold them again. */
import { IconCalendarRepeat } from '@tabler/icons-react'
import { Button, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Row } from '@/shared/ui/layout'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { AddButton } from '@/widgets/list/add-button'
import type { Column, Writing } from '@/widgets/list/columns'
import { filters, number } from '@/widgets/list/filters'
import { ListView } from '@/widgets/list/list-view'
import { usePagedList } from '@/widgets/list/use-paged-list'
import { BackupActions } from './backup-actions'
import { BackupState, STATES } from './backup-state'
import { BeginDialog } from './begin-dialog'
import { PlanDialog } from './plan-dialog'
import { type BackupRow, KINDS, PAGE } from './rows'

const FILTERS = filters({ device: number((deviceId) => ({ deviceId })) })

const holdings = ({ counts }: BackupRow, { t, number: format, list }: Writing) =>
  list(
    KINDS.filter((kind) => kind !== 'setting' && counts[kind]).map(
      (kind) => `${t(`backup:kind-${kind}`)} ${format(counts[kind] ?? 0)}`,
    ),
  )

const COLUMNS: readonly Column<BackupRow>[] = [
  { key: 'deviceCode', label: 'common:robot', heading: true },
  { key: 'deviceSerialNumber', label: 'common:serial-number', ltr: true },
  {
    key: 'time',
    label: 'backup:time',
    cell: ({ time, planned }, { t, dateTime }) => (
      <Row stack gap="xxs">
        {dateTime(Date.parse(time))}
        {planned && <small>{t('backup:by-plan')}</small>}
      </Row>
    ),
  },
  {
    key: 'status',
    label: 'backup:state',
    value: ({ status }, { t }) => t(STATES[status][1]),
    cell: (row) => <BackupState row={row} />,
  },
  { key: 'size', label: 'backup:size', number: true, cell: ({ size }, { bytes }) => size > 0 && bytes(size) },
  { key: 'holds', label: 'backup:holds', value: holdings },
  { key: 'fileName', label: 'backup:file-name', ltr: true, extra: true },
]

export function BackupsScreen() {
  const { t } = useTranslation('backup')
  const { values, change, list } = usePagedList('/device/selectDataBackups', FILTERS, { size: PAGE })
  const robots = useCall('/device/selectDeviceInfoFromDataBackup', {}).data?.list ?? []
  const [open, setOpen] = useState<'begin' | 'plan'>()
  const begin = <AddButton onClick={() => setOpen('begin')}>{t('begin')}</AddButton>
  return (
    <Page>
      <ListView
        name="data-backup"
        texts="backup"
        label={t('common:data-backup')}
        columns={COLUMNS}
        {...list}
        idOf={({ id }) => id}
        empty={<Nothing why={t('empty')} action={begin} />}
        tools={
          <>
            <Button icon={<IconCalendarRepeat size={16} stroke={1.75} />} onClick={() => setOpen('plan')}>
              {t('plan')}
            </Button>
            {begin}
          </>
        }
        search={
          <Select
            aria-label={t('common:robot')}
            value={values.device ?? null}
            placeholder={t('every-robot')}
            allowClear
            popupMatchSelectWidth={false}
            options={robots.map((robot) => ({
              value: robot.deviceId,
              label: `${robot.deviceCode} · ${robot.deviceSerialNumber}`,
            }))}
            onChange={(device: number | null | undefined) => change({ device: device ?? undefined })}
          />
        }
        actions={(row) => row.ours && <BackupActions row={row} />}
      />
      {open === 'begin' && <BeginDialog deviceId={values.device} onClose={() => setOpen(undefined)} />}
      {open === 'plan' && <PlanDialog deviceId={values.device} robots={robots} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}
