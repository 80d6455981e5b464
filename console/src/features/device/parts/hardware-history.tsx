/** What was in a robot from when to when, and by whom. A former owner's days are hidden. */

import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Nothing } from '@/shared/ui/query-view'
import type { Column } from '@/widgets/list/columns'
import { ShortList } from '@/widgets/list/short-list'
import styles from '../dialogs.module.css'

type Part = Answer<'/deviceHard/getDeviceHardHistoryListBean'>['list'][number]

const COLUMNS: readonly Column<Part>[] = [
  {
    key: 'after',
    label: 'hardware-part',
    heading: true,
    cell: (part, { t }) => (
      <>
        <bdi>{part.after}</bdi>
        <small>
          <bdi>{[part.cate_name, part.batchName].filter(Boolean).join(' · ')}</bdi>
        </small>
        {part.before && <small>{t('instead-of', { name: part.before })}</small>}
      </>
    ),
  },
  { key: 'time', label: 'fitted-at', cell: (part) => <End at={part.time} by={part.operator} /> },
  {
    key: 'endTime',
    label: 'taken-out-at',
    cell: (part, { t }) => (part.fitted ? t('still-fitted') : <End at={part.endTime} by={part.endOperator} />),
  },
]

export function HardwareHistory({ deviceId }: { deviceId: number }) {
  const { t } = useTranslation('asset')
  const query = useCall('/deviceHard/getDeviceHardHistoryListBean', { deviceId })
  return (
    <ShortList
      texts="asset"
      label={t('hardware-history')}
      columns={COLUMNS}
      query={query}
      idOf={({ id }) => id}
      className={styles.tall}
      empty={<Nothing why={t('no-hardware-history')} />}
    />
  )
}

function End({ at, by }: { at: string | null; by: string | null }) {
  const { t } = useTranslation('asset')
  const { dateTime } = useFormats()
  if (at === null) return <>{t('before-this-owner')}</>
  return (
    <>
      {dateTime(Date.parse(at))}
      <small>
        <bdi>{by}</bdi>
      </small>
    </>
  )
}
