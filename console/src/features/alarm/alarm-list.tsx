/** Alarms by what narrows them; a row unfolds to what is known of it, and who may resolves it, or all of its robot. */
import { IconBellZ, IconCheck, IconChecks, IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useMay } from '@/shared/session/session'
import { Row } from '@/shared/ui/layout'
import { Nothing } from '@/shared/ui/query-view'
import { LineAction } from '@/widgets/list/line-action'
import { ListView } from '@/widgets/list/list-view'
import { usePagedList } from '@/widgets/list/use-paged-list'
import styles from './alarm.module.css'
import { COLUMNS } from './alarm-columns'
import { AlarmDetails } from './alarm-details'
import { AlarmFilters } from './alarm-filters'
import { FILTERS, type Filters } from './filters'
import { ResolveDialog } from './resolve-dialog'
import { type AlarmRow, PAGE, RESOLVED } from './rows'
import { SnoozeDialog } from './snooze/snooze-dialog'
import { Snoozes } from './snooze/snoozes'
import { TakeAction } from './take-action'

interface Props {
  name: string
  label: string
  /** At the end of the line of tools. */
  tools?: ReactNode
  /** Above the list: what its filters say. */
  above?(values: Filters): ReactNode
}

const ROW_PX = 45

export function AlarmList({ name, label, tools, above }: Props) {
  const { t } = useTranslation('alarm')
  const mayResolve = useMay('warn/index/warn/resume')
  const { values, change, list } = usePagedList('/warn/list', FILTERS, { size: PAGE })
  const [open, setOpen] = useState<number>()
  const [resolving, setResolving] = useState<{ row: AlarmRow; all: boolean }>()
  const [snoozing, setSnoozing] = useState<AlarmRow>()
  return (
    <>
      {above?.(values)}
      <Snoozes />
      <ListView<AlarmRow>
        name={name}
        texts="alarm"
        label={label}
        columns={COLUMNS}
        {...list}
        idOf={({ warnId }) => warnId}
        onOpen={({ warnId }) => setOpen(open === warnId ? undefined : warnId)}
        details={(row) => row.warnId === open && <AlarmDetails row={row} />}
        className={styles.table}
        height={ROW_PX}
        empty={<Nothing why={t('no-alarms')} />}
        tools={tools}
        actions={(row) => (
          <RowActions
            row={row}
            open={row.warnId === open}
            onOpen={() => setOpen(open === row.warnId ? undefined : row.warnId)}
            onResolve={mayResolve && row.state !== RESOLVED && ((all) => setResolving({ row, all }))}
            onSnooze={() => setSnoozing(row)}
          />
        )}
        search={<AlarmFilters values={values} onChange={change} />}
      />
      {resolving && <ResolveDialog {...resolving} onClose={() => setResolving(undefined)} />}
      {snoozing && <SnoozeDialog row={snoozing} onClose={() => setSnoozing(undefined)} />}
    </>
  )
}

interface RowActionsProps {
  row: AlarmRow
  open: boolean
  onOpen(): void
  onResolve: ((all: boolean) => void) | false
  onSnooze(): void
}

function RowActions({ row, open, onOpen, onResolve, onSnooze }: RowActionsProps) {
  const { t } = useTranslation('alarm')
  const name = `${row.content}, ${row.deviceCode}`
  return (
    <Row as="span" inline>
      {onResolve && (
        <>
          <TakeAction row={row} />
          <LineAction icon={IconBellZ} label={t('snooze')} name={name} onClick={onSnooze} />
          <LineAction icon={IconCheck} label={t('common:resolve-alarm')} name={name} onClick={() => onResolve(false)} />
          <LineAction
            icon={IconChecks}
            label={t('resolve-all')}
            name={row.deviceCode}
            onClick={() => onResolve(true)}
          />
        </>
      )}
      <LineAction
        icon={open ? IconChevronUp : IconChevronDown}
        label={t(open ? 'common:collapse' : 'common:expand')}
        name={name}
        onClick={onOpen}
      />
    </Row>
  )
}
