/**
 * Somebody else was quicker. What they have changed is read at once; where both have changed a field, theirs stands beside
 * mine, and either may stay. Nothing that was typed goes without a word.
 */
import { Button } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Warning } from './field'
import type { Value, Values } from './fields'
import styles from './form.module.css'

interface Props {
  /** The fields that they have changed, by name. */
  fields: readonly string[]
  /** Undefined until the newer row has come. */
  theirs: Values | undefined
  values: Values
  /** What was typed here. */
  typed: readonly string[]
  label(name: string): string
  format(name: string, value: Value): string
  /** Reads the row again. */
  onRefresh(): Promise<unknown>
  onTake(given: readonly string[]): void
}

export function Late({ fields, theirs, values, typed, label, format, onRefresh, onTake }: Props) {
  const { t } = useTranslation('shell')
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it turns out that somebody was quicker
  useEffect(() => void onRefresh(), [])
  const both = fields.filter((name) => typed.includes(name))
  return (
    <Warning alert>
      <span>{t('changed-by-other', { fields: [...new Set(fields.map(label))].join(' · ') })}</span>
      {theirs && both.length > 0 && (
        <table className={styles.late}>
          <thead>
            <tr>
              <th scope="col">{t('field')}</th>
              <th scope="col">{t('theirs')}</th>
              <th scope="col">{t('own')}</th>
            </tr>
          </thead>
          <tbody>
            {both.map((name) => (
              <tr key={name}>
                <th scope="row">{label(name)}</th>
                <td>
                  <bdi>{format(name, theirs[name] ?? null)}</bdi>
                </td>
                <td>
                  <bdi>{format(name, values[name] ?? null)}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {!theirs && (
        <Button size="small" onClick={() => void onRefresh()}>
          {t('common:refresh')}
        </Button>
      )}
      {theirs && (
        <Button size="small" onClick={() => onTake([])}>
          {t('take-over')}
        </Button>
      )}
      {theirs && both.length > 0 && (
        <Button size="small" onClick={() => onTake(both)}>
          {t('take-theirs')}
        </Button>
      )}
    </Warning>
  )
}
