/** /device/index/device/selectViewPwdPageList: who has read which robot's password, the newest first. */
import { IconSearch } from '@tabler/icons-react'
import { Button, DatePicker, Input } from 'antd'
import dayjs from 'dayjs'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { useCall } from '@/shared/rpc/hooks'
import { Panel } from '@/shared/ui/panel'
import { Shown } from '@/shared/ui/shown'
import table from '@/shared/ui/table.module.css'
import { Pages } from '@/widgets/pages'
import { useFilters } from '@/widgets/use-filters'
import styles from './passwords.module.css'

const PAGE = 30
const DAY = 'YYYY-MM-DD'

export function PasswordsScreen() {
  const { t } = useTranslation('asset')
  const { exact } = useFormats()
  const { told, change, turn, narrowed, page } = useFilters(['serial', 'from', 'to'])
  const { serial: wanted, from, to } = told
  const [serial, setSerial] = useState(wanted)
  useEffect(() => setSerial(wanted), [wanted])
  const found = useCall(
    '/device/selectViewPwdPageList',
    {
      currentPage: page,
      pageSize: PAGE,
      ...(wanted && { deviceSerialNumber: wanted }),
      ...(from && { startDate: from }),
      ...(to && { endDate: to }),
    },
    { keep: true },
  )
  const search = (event: FormEvent) => {
    event.preventDefault()
    change({ serial: serial.trim() })
  }
  return (
    <div className={styles.screen}>
      <search>
        <form className={styles.bar} onSubmit={search}>
          <Input
            className={styles.text ?? ''}
            dir="ltr"
            value={serial}
            onChange={(event) => setSerial(event.target.value)}
            placeholder={t('serial-number')}
            aria-label={t('serial-number')}
            prefix={<IconSearch size={16} stroke={1.75} />}
            maxLength={32}
            allowClear
            onClear={() => change({ serial: '' })}
          />
          <DatePicker.RangePicker
            aria-label={t('days')}
            value={[from ? dayjs(from) : null, to ? dayjs(to) : null]}
            placeholder={[t('from'), t('to')]}
            allowEmpty={[true, true]}
            onChange={(range) => change({ from: range?.[0]?.format(DAY) ?? '', to: range?.[1]?.format(DAY) ?? '' })}
          />
          <Button htmlType="submit">{t('search')}</Button>
        </form>
      </search>
      <Panel className={table.box}>
        <Shown
          query={found}
          filtered={narrowed}
          isEmpty={({ list }) => list.length === 0}
          empty={<p className={styles.none}>{t(narrowed ? 'empty-search' : 'no-readings')}</p>}
        >
          {({ list, total }) => (
            <>
              <table
                className={`${table.table} ${table.soft} ${styles.table}`}
                aria-label={t('password-access-records')}
              >
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
                  {list.map((one) => (
                    <tr key={one.id}>
                      <td>{exact(Date.parse(one.time))}</td>
                      <th scope="row">
                        <bdi>{one.userName}</bdi>
                      </th>
                      <td>
                        <bdi dir="ltr">{one.account}</bdi>
                      </td>
                      <td>
                        <bdi>{one.deviceCode}</bdi>
                      </td>
                      <td>
                        <bdi dir="ltr">{one.deviceSerialNumber}</bdi>
                      </td>
                      <td>
                        <bdi dir="ltr">{one.ip}</bdi>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <Pages className={styles.foot} page={page} size={PAGE} total={total} onPage={turn} />
            </>
          )}
        </Shown>
      </Panel>
    </div>
  )
}
