/** What an account's mailboxes get. In a form it is a list of places in MAILS. */
import { Checkbox } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { numbersOf, type Value } from '../form/fields'
import type { UserRow } from './person'

const MAILS = [
  ['emailToTask', 'mail-task'],
  ['emailToWarn', 'mail-warn'],
  ['emailToTaskReport', 'mail-report'],
] as const

type Mails = Record<(typeof MAILS)[number][0], 0 | 1>

const flag = (on: boolean) => (on ? 1 : 0)

export const mailsOf = (row: Pick<UserRow, keyof Mails>): readonly number[] =>
  MAILS.flatMap(([key], place) => (row[key] === 1 ? [place] : []))

/** As the call takes them. */
export function flagsOf(value: Value | undefined): Mails {
  const [task, warn, report] = MAILS.map((_, place) => flag(numbersOf(value).includes(place)))
  return { emailToTask: task ?? 0, emailToWarn: warn ?? 0, emailToTaskReport: report ?? 0 }
}

export function MailFlags({ value, onChange }: { value: Value; onChange(value: Value): void }) {
  const { t } = useTranslation('people')
  return (
    <Checkbox.Group<number>
      value={[...numbersOf(value)]}
      options={MAILS.map(([, word], place) => ({ value: place, label: t(word) }))}
      onChange={onChange}
    />
  )
}
