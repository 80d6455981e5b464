/** Somebody else has changed the same meanwhile: theirs stands beside mine, and each may stay. */
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from '../dialogs.module.css'
import type { DeviceValue, DeviceValues } from './field-rules'

interface Props {
  fields: readonly string[]
  label(field: string): string
  format(field: string, value: DeviceValue): string
  ours: DeviceValues
  theirs: DeviceValues | undefined
  onTake(fields: readonly string[]): void
  onKeep(): void
}

export function Late({ fields, label, format, ours, theirs, onTake, onKeep }: Props) {
  const { t } = useTranslation('asset')
  if (!theirs) return null
  return (
    <div className={styles.late} role="alert">
      <p>{t('changed-meanwhile')}</p>
      <table>
        <thead>
          <tr>
            <th>{t('shell:field')}</th>
            <th>{t('shell:theirs')}</th>
            <th>{t('shell:own')}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">{label(field)}</th>
              <td>
                <bdi>{format(field, theirs[field] ?? null)}</bdi>
              </td>
              <td>
                <bdi>{format(field, ours[field] ?? null)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Button size="small" onClick={() => onTake(fields)}>
        {t('shell:take-theirs')}
      </Button>
      <Button size="small" onClick={onKeep}>
        {t('keep-mine')}
      </Button>
    </div>
  )
}
