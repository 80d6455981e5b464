/**
 * What came of sending a form, underneath it: why it was refused, or that somebody else was quicker. What they have changed is
 * read at once; where both have changed a field, theirs stands beside mine, and either may stay. Nothing that was typed goes
 * without a word.
 */
import { Button } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Problem, Warning } from './field'
import type { Value, Values } from './fields'
import styles from './form.module.css'

interface FormState {
  readonly values: Values
  /** What was typed here. */
  readonly typed: readonly string[]
  /** What stands there now; undefined until the newer row has come. */
  readonly theirs: Values | undefined
  takeOver(given: readonly string[]): void
}

interface Action {
  /** The fields that somebody else has changed, by name; empty unless that is why it was refused. */
  readonly late: readonly string[]
  readonly problem: string | undefined
  reset(): void
}

interface Props {
  /** None where nothing typed can stand against theirs. */
  form?: FormState
  action: Action
  /** In place of the names that the server gave. */
  fields?: readonly string[] | undefined
  label(name: string): string
  format(name: string, value: Value): string
  /** Reads the row again. */
  onRefresh(): Promise<unknown>
}

/** Of a row of which nothing is typed here. */
const UNTYPED: FormState = { values: {}, typed: [], theirs: {}, takeOver: () => {} }

export const Outcome = (props: Props) =>
  props.action.late.length > 0 ? <Late {...props} /> : <Problem text={props.action.problem} />

function Late({ form = UNTYPED, action, fields = action.late, label, format, onRefresh }: Props) {
  const { theirs, values, typed } = form
  const { t } = useTranslation('shell')
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it turns out that somebody was quicker
  useEffect(() => void onRefresh(), [])
  const both = fields.filter((name) => typed.includes(name))
  const take = (given: readonly string[]) => {
    form.takeOver(given)
    action.reset()
  }
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
        <Button size="small" onClick={() => take([])}>
          {t('take-over')}
        </Button>
      )}
      {theirs && both.length > 0 && (
        <Button size="small" onClick={() => take(both)}>
          {t('take-theirs')}
        </Button>
      )}
    </Warning>
  )
}
