/** What an account's mailboxes get. */
import { Checkbox } from 'antd'
import { useTranslation } from 'react-i18next'
import type { UserRow } from './person'
import styles from './person.module.css'

const MAILS = [
  ['emailToTask', 'mail-task'],
  ['emailToWarn', 'mail-warn'],
  ['emailToTaskReport', 'mail-report'],
] as const

export type Mails = Record<(typeof MAILS)[number][0], 0 | 1>

const flag = (on: boolean) => (on ? 1 : 0)

export const mailsOf = (row: Pick<UserRow, keyof Mails>): Mails => ({
  emailToTask: flag(row.emailToTask === 1),
  emailToWarn: flag(row.emailToWarn === 1),
  emailToTaskReport: flag(row.emailToTaskReport === 1),
})

export function MailFlags({ value, onChange }: { value: Mails; onChange(value: Mails): void }) {
  const { t } = useTranslation('people')
  return (
    <fieldset className={styles.flags}>
      <legend>{t('mails-get')}</legend>
      {MAILS.map(([key, word]) => (
        <Checkbox
          key={key}
          checked={value[key] === 1}
          onChange={(event) => onChange({ ...value, [key]: flag(event.target.checked) })}
        >
          {t(word)}
        </Checkbox>
      ))}
    </fieldset>
  )
}
