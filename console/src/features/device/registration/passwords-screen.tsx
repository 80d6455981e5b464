/** /device/index/device/selectViewPwdPageList: who has read which robot's password, the newest first. */
import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { useCall } from '@/shared/rpc/hooks'
import { Panel } from '@/shared/ui/panel'
import { QueryView } from '@/shared/ui/query-view'
import table from '@/shared/ui/table.module.css'
import { Pages } from '@/widgets/list/pages'
import { SearchForm } from '@/widgets/list/search-form'
import { useFilters } from '@/widgets/list/use-filters'
import styles from './passwords.module.css'

const PAGE = 30
const DAY = 'YYYY-MM-DD'

export function PasswordsScreen() {
  const { t } = useTranslation('asset')
  const { exact } = useFormats()
  const { filters, change, turn, narrowed, page } = useFilters(['serial', 'from', 'to'])
  const { serial, from, to } = filters
  const entries = useCall(
    '/device/selectViewPwdPageList',
    {
      currentPage: page,
      pageSize: PAGE,
      ...(serial && { deviceSerialNumber: serial }),
      ...(from && { startDate: from }),
      ...(to && { endDate: to }),
    },
    { keep: true },
  )
  return (
    <div className={styles.screen}>
      <search>
        <SearchForm
          className={styles.bar}
          field={styles.text}
          text={serial}
          hint={t('serial-number')}
          dir="ltr"
          longest={32}
          onSearch={(serial) => change({ serial })}
        >
          <DatePicker.RangePicker
            aria-label={t('days')}
            value={[from ? dayjs(from) : null, to ? dayjs(to) : null]}
            placeholder={[t('from'), t('to')]}
            allowEmpty={[true, true]}
            onChange={(range) => change({ from: range?.[0]?.format(DAY) ?? '', to: range?.[1]?.format(DAY) ?? '' })}
          />
        </SearchForm>
      </search>
      <Panel className={table.box}>
        <QueryView
          query={entries}
          filtered={narrowed}
          isEmpty={({ list }) => list.length === 0}
          empty={<p className={styles.none}>{t(narrowed ? 'empty-search' : 'no-readings')}</p>}
        >
          {({ list, total }) => (
            <>
              <table className={`${table.table} ${table.soft}`} aria-label={t('password-access-records')}>
                <thead>
                  <tr>
                    <th>{t('read-at')}</th>
                    <th>{t('user')}</th>
                    <th>{t('login-name')}</th>
                    <th>{t('device')}</th>
                    <th>{t('serial-number')}</th>
                    <th>{t('ip-address')}</th>
                  </tr>
                </thead>
                <tbody>
                  {list.map((entry) => (
                    <tr key={entry.id}>
                      <td>{exact(Date.parse(entry.time))}</td>
                      <th scope="row">
                        <bdi>{entry.userName}</bdi>
                      </th>
                      <td>
                        <bdi dir="ltr">{entry.account}</bdi>
                      </td>
                      <td>
                        <bdi>{entry.deviceCode}</bdi>
                      </td>
                      <td>
                        <bdi dir="ltr">{entry.deviceSerialNumber}</bdi>
                      </td>
                      <td>
                        <bdi dir="ltr">{entry.ip}</bdi>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <Pages className={styles.foot} page={page} size={PAGE} total={total} onPage={turn} />
            </>
          )}
        </QueryView>
      </Panel>
    </div>
  )
}
