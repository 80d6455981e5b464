/** Fields before and after, and what else was asked. */

import { useTranslation } from '@/shared/i18n/text'
import { Row } from '@/shared/ui/layout'
import { changesOf, type LogRow, requestOf, type Words } from './changes'
import styles from './log.module.css'

export function LogDetails({ row, words }: { row: LogRow; words: Words }) {
  const { t } = useTranslation('log')
  const changes = changesOf(row, words)
  const fields = requestOf(row, words)
  return (
    <Row wrap gap="xxxl" lines="m" className={styles.details}>
      {changes.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>{t('field')}</th>
              <th>{t('before')}</th>
              <th>{t('after')}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, before, after }) => (
              <tr key={field}>
                <th scope="row">
                  <bdi>{field}</bdi>
                </th>
                <td>
                  <bdi>{before}</bdi>
                </td>
                <td data-changed={before !== after || undefined}>
                  <bdi>{after}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {fields.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>{t('field')}</th>
              <th>{t('asked')}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(([field, value]) => (
              <tr key={field}>
                <th scope="row">
                  <bdi>{field}</bdi>
                </th>
                <td>
                  <bdi>{value}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {changes.length + fields.length === 0 && <p>{t('empty-list')}</p>}
    </Row>
  )
}
