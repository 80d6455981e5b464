/** /log: who did what, or was denied it, the newest first. A row unfolds to what it changed. */
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { raw } from '@/shared/rpc/call'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { ListView } from '@/widgets/list/list-view'
import { ownZone } from '@/widgets/list/sheet/cells'
import { usePagedList } from '@/widgets/list/use-paged-list'
import { Chain } from './chain'
import { folded, type LogRow, robotsOf, type Words } from './changes'
import { FILTERS } from './filters'
import { columnsOf } from './log-columns'
import { LogDetails } from './log-details'
import { LogFilters } from './log-filters'

const PAGE = 30

/** Of the robots that still can be seen, by id; the audit itself keeps no names of robots, which change. */
function useNames(rows: readonly LogRow[]): ReadonlyMap<number, string> {
  const may = useMay('device/index')
  const ids = robotsOf(rows)
  const devices = useCall(
    '/device/selectDevicePc',
    { deviceIds: [...ids], currentPage: 1, pageSize: Math.max(1, ids.length) },
    { enabled: may && ids.length > 0, keep: true },
  )
  return new Map(devices.data?.list.map((device) => [device.deviceId, device.deviceCode]))
}

const fieldsOf = (page: unknown) => (page as Partial<Answer<'/log/list'>> | undefined)?.fieldNames ?? {}

export function LogScreen() {
  const { t } = useTranslation('log')
  const { values, change, payload, query, list } = usePagedList('/log/list', FILTERS, { size: PAGE, staleTime: 0 })
  const { list: join } = useFormats()
  const robots = useNames(query.data?.list ?? [])
  const words: Words = { robots, list: join, fields: fieldsOf(query.data) }
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const fold = ({ id }: LogRow) => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  return (
    <Page>
      <Chain />
      <ListView<LogRow>
        name="log"
        texts="log"
        label={t('operation-log')}
        columns={columnsOf({ words, isOpen: ({ id }) => open.has(id), onFold: fold, onNarrow: change })}
        {...list}
        query={{ ...query, ...(query.data && { data: { ...query.data, list: folded(query.data.list) } }) }}
        idOf={({ id }) => id}
        onOpen={fold}
        details={(row) => open.has(row.id) && <LogDetails row={row} words={words} />}
        height={29}
        empty={<Nothing why={t('no-log')} />}
        sheet={{ name: 'log', fetch: (form) => raw('/log/export', { ...payload, zone: ownZone(), form }) }}
        search={<LogFilters values={values} onChange={change} />}
      />
    </Page>
  )
}
