/** What is entered of a webhook: its address, what it is for, and the kinds of changes that it is sent. */
import { useTranslation } from '@/shared/i18n/text'
import { keysOf } from '@/shared/keys'
import { limitsOf, type Rule, type Values } from '@/widgets/form/fields'
import { FormDialog } from '@/widgets/form/form-dialog'
import { useAction } from '@/widgets/form/use-action'
import { KINDS } from './kinds'
import type { Secret, WebhookRow } from './rows'

interface Props {
  /** Undefined: a new one. */
  row: WebhookRow | undefined
  onClose(): void
  onSecret(secret: Secret): void
}

const INSERT = '/webhook/insert'
const UPDATE = '/webhook/update'
const ADDRESS = /^https?:\/\/[^/@\s]+/
const address: Rule<'webhook:fault-address'> = (value) =>
  ADDRESS.test(String(value).trim()) ? undefined : 'webhook:fault-address'
const FIELDS = [
  {
    ...({ name: 'url', label: 'webhook:url', hint: 'webhook:address-how' } as const),
    ...({ example: 'https://', ltr: true, wide: true, rule: address } as const),
  },
  { name: 'description', label: 'webhook:description', wide: true },
  { name: 'kinds', label: 'webhook:kinds', kind: 'choices', placeholder: 'webhook:all-kinds', wide: true },
] as const
const NAMES = FIELDS.map(({ name }) => name)
/** By their places, which the choice of several holds. */
const PLACES = keysOf(KINDS)

export function WebhookForm({ row, onClose, onSecret }: Props) {
  const { t } = useTranslation('webhook')
  const title = t(row ? 'edit-webhook' : 'add-webhook')
  const add = useAction(INSERT, title, NAMES)
  const change = useAction(UPDATE, title, NAMES)
  const start = {
    ...{ url: row?.url ?? '', description: row?.description ?? '' },
    kinds: PLACES.flatMap((kind, place) => (row?.kinds.includes(kind) ? [place] : [])),
  }
  const send = ({ url, description, kinds }: Values) => {
    const chosen = PLACES.filter((_, place) => Array.isArray(kinds) && kinds.includes(place))
    const fields = { url: String(url).trim(), description: String(description).trim(), kinds: chosen }
    if (row) void change.run({ id: row.id, ...fields }, onClose)
    else void add.run(fields, onSecret)
  }
  return (
    <FormDialog
      texts="webhook"
      title={title}
      fields={FIELDS}
      limits={limitsOf(INSERT)}
      options={{ kinds: PLACES.map((kind, value) => ({ value, label: t(KINDS[kind]) })) }}
      row={row && { ...start, updateTime: '' }}
      start={start}
      draft={row ? `${UPDATE} ${row.id}` : INSERT}
      action={row ? change : add}
      onSend={send}
      onClose={onClose}
    />
  )
}
