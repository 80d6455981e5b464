/** What was in a robot from when to when, and by whom. A former owner's days are not told. */
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { useCall } from '@/shared/rpc/hooks'
import { Nothing, Shown } from '@/shared/ui/shown'
import styles from './dialogs.module.css'

export function HardwareHistory({ deviceId }: { deviceId: number }) {
  const { t } = useTranslation('asset')
  const query = useCall('/deviceHard/getDeviceHardHistoryListBean', { deviceId })
  return (
    <Shown query={query} isEmpty={({ list }) => list.length === 0} empty={<Nothing why={t('no-hardware-history')} />}>
      {({ list }) => (
        <table className={styles.types} data-plain aria-label={t('hardware-history')}>
          <thead>
            <tr>
              <th>{t('hardware-part')}</th>
              <th>{t('fitted-at')}</th>
              <th>{t('taken-out-at')}</th>
            </tr>
          </thead>
          <tbody>
            {list.map((one) => (
              <tr key={one.id}>
                <th scope="row">
                  <bdi>{one.after}</bdi>
                  <p className={styles.remark}>
                    <bdi>{[one.cate_name, one.batchName].filter(Boolean).join(' · ')}</bdi>
                  </p>
                  {one.before && <p className={styles.remark}>{t('instead-of', { name: one.before })}</p>}
                </th>
                <td>
                  <End at={one.time} by={one.operator} />
                </td>
                <td>{one.fitted ? t('still-fitted') : <End at={one.endTime} by={one.endOperator} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Shown>
  )
}

function End({ at, by }: { at: string | null; by: string | null }) {
  const { t } = useTranslation('asset')
  const { dateTime } = useFormats()
  if (at === null) return <>{t('before-this-owner')}</>
  return (
    <>
      {dateTime(Date.parse(at))}
      <p className={styles.remark}>
        <bdi>{by}</bdi>
      </p>
    </>
  )
}
