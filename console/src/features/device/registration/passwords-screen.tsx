/** /device/index/device/selectViewPwdPageList: who has read which robot's password, the newest first. */

import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { LIMITS } from '@/shared/rpc/limits'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import type { Column } from '@/widgets/list/columns'
import { Days } from '@/widgets/list/days'
import { date, filters, words } from '@/widgets/list/filters'
import { ListView } from '@/widgets/list/list-view'
import { Search } from '@/widgets/list/search'
import { usePagedList } from '@/widgets/list/use-paged-list'

type Reading = Answer<'/device/selectViewPwdPageList'>['list'][number]

const PAGE = 30
const FILTERS = filters({
  serial: words((deviceSerialNumber) => ({ deviceSerialNumber })),
  from: date((startDate) => ({ startDate })),
  to: date((endDate) => ({ endDate })),
})
const COLUMNS: readonly Column<Reading>[] = [
  { key: 'time', label: 'read-at', cell: ({ time }, { exact }) => exact(Date.parse(time)) },
  { key: 'userName', label: 'user', heading: true },
  { key: 'account', label: 'login-name', ltr: true },
  { key: 'deviceCode', label: 'device' },
  { key: 'deviceSerialNumber', label: 'serial-number', ltr: true },
  { key: 'ip', label: 'ip-address', ltr: true },
]

export function PasswordsScreen() {
  const { t } = useTranslation('asset')
  const { values, change, list } = usePagedList('/device/selectViewPwdPageList', FILTERS, { size: PAGE })
  return (
    <Page>
      <ListView
        name="passwordReading"
        texts="asset"
        label={t('password-access-records')}
        columns={COLUMNS}
        {...list}
        idOf={({ id }) => id}
        empty={<Nothing why={t('no-readings')} />}
        search={
          <Search
            text={values.serial}
            hint={t('serial-number')}
            dir="ltr"
            longest={LIMITS['/device/selectViewPwdPageList'].deviceSerialNumber.maxLength}
            onSearch={(serial) => change({ serial })}
          >
            <Days {...values} onChange={change} />
          </Search>
        }
      />
    </Page>
  )
}
