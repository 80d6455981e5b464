/** What an account's mailboxes get. */
import { Checkbox } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import type { UserRow } from './person'

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
    <Row as="fieldset" wrap gap="xl" lines="s" above="l">
      <Text as="legend" size="small" tone="quiet" below="xs">
        {t('mails-get')}
      </Text>
      {MAILS.map(([key, word]) => (
        <Checkbox
          key={key}
          checked={value[key] === 1}
          onChange={(event) => onChange({ ...value, [key]: flag(event.target.checked) })}
        >
          {t(word)}
        </Checkbox>
      ))}
    </Row>
  )
}
