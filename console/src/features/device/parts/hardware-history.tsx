/** What was in a robot from when to when, and by whom. A former owner's days are not told. */
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { useCall } from '@/shared/rpc/hooks'
import { Text } from '@/shared/ui/layout'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import styles from '../dialogs.module.css'

export function HardwareHistory({ deviceId }: { deviceId: number }) {
  const { t } = useTranslation('asset')
  const query = useCall('/deviceHard/getDeviceHardHistoryListBean', { deviceId })
  return (
    <QueryView
      query={query}
      isEmpty={({ list }) => list.length === 0}
      empty={<Nothing why={t('no-hardware-history')} />}
    >
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
            {list.map((part) => (
              <tr key={part.id}>
                <th scope="row">
                  <bdi>{part.after}</bdi>
                  <Text size="small" tone="soft" above="xs" className={styles.remark}>
                    <bdi>{[part.cate_name, part.batchName].filter(Boolean).join(' · ')}</bdi>
                  </Text>
                  {part.before && (
                    <Text size="small" tone="soft" above="xs" className={styles.remark}>
                      {t('instead-of', { name: part.before })}
                    </Text>
                  )}
                </th>
                <td>
                  <End at={part.time} by={part.operator} />
                </td>
                <td>{part.fitted ? t('still-fitted') : <End at={part.endTime} by={part.endOperator} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </QueryView>
  )
}

function End({ at, by }: { at: string | null; by: string | null }) {
  const { t } = useTranslation('asset')
  const { dateTime } = useFormats()
  if (at === null) return <>{t('before-this-owner')}</>
  return (
    <>
      {dateTime(Date.parse(at))}
      <Text size="small" tone="soft" above="xs" className={styles.remark}>
        <bdi>{by}</bdi>
      </Text>
    </>
  )
}
