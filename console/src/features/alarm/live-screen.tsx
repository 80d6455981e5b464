/** /index/realWarn: what is open now, the gravest first; a row unfolds to what to do. */
import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Row } from '@/shared/ui/layout'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { LineAction } from '@/widgets/list/line-action'
import { ListView } from '@/widgets/list/list-view'
import styles from './alarm.module.css'
import { COLUMNS } from './alarm-columns'
import { AlarmDetails } from './alarm-details'
import { ResolveDialog } from './resolve-dialog'
import type { AlarmRow } from './rows'
import { TakeAction } from './take-action'

export function LiveScreen() {
  const { t } = useTranslation('alarm')
  const mayResolve = useMay('warn/index/warn/resume')
  const alarms = useCall('/warn/listUnProcess', {})
  const [open, setOpen] = useState<number>()
  const [resolving, setResolving] = useState<AlarmRow>()
  const rows = alarms.data?.list ?? []
  const current = rows.some(({ warnId }) => warnId === open) ? open : rows[0]?.warnId
  return (
    <Page>
      <ListView<AlarmRow>
        name="liveAlarm"
        texts="alarm"
        label={t('common:live-alarms')}
        columns={COLUMNS}
        query={{ ...alarms, data: alarms.data && { list: alarms.data.list, total: alarms.data.count } }}
        idOf={({ warnId }) => warnId}
        onOpen={({ warnId }) => setOpen(warnId)}
        details={(row) => row.warnId === current && <AlarmDetails row={row} />}
        className={styles.table}
        empty={<Nothing why={t('common:empty-alarms')} />}
        actions={(row) =>
          mayResolve && (
            <Row as="span" inline>
              <TakeAction row={row} />
              <LineAction
                icon={IconCheck}
                label={t('common:resolve-alarm')}
                name={`${row.content}, ${row.deviceCode}`}
                onClick={() => setResolving(row)}
              />
            </Row>
          )
        }
      />
      {resolving && <ResolveDialog row={resolving} all={false} onClose={() => setResolving(undefined)} />}
    </Page>
  )
}
