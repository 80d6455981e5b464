/** Choose an owner: the account tree as a cascade, any level may be chosen. */
import { Cascader } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'

export interface Account {
  readonly userId: number
  readonly name: string
  readonly childs: readonly Account[]
}

interface Option {
  value: number
  label: string
  children?: Option[]
}

const options = (accounts: readonly Account[]): Option[] =>
  accounts.map(({ userId, name, childs }) => ({
    value: userId,
    label: name,
    ...(childs.length > 0 && { children: options(childs) }),
  }))

/** Ids from the top of the tree to an account; undefined when it is not in it. */
export function pathTo(accounts: readonly Account[], userId: number): number[] | undefined {
  for (const account of accounts) {
    if (account.userId === userId) return [userId]
    const rest = pathTo(account.childs, userId)
    if (rest) return [account.userId, ...rest]
  }
  return undefined
}

interface Words {
  readonly label: string
  /** When all are meant. */
  readonly every: string
  named(name: string): string
}

interface Props {
  value: number | undefined
  onChange(userId: number | undefined): void
  /** Where an account is looked for as something else than an owner. */
  words?: Words
  /** As wide as its place. */
  wide?: boolean
  /** Opens as it comes. */
  startOpen?: boolean
}

export function OwnerTree({ value, onChange, words, wide, startOpen = false }: Props) {
  const { t } = useTranslation('robot')
  const texts = words ?? { label: t('owner'), every: t('every-owner'), named: (name) => t('owner-named', { name }) }
  const owners = useCall('/device/selectOwnUser', {})
  const tree: readonly Account[] = owners.data?.list ?? []
  const path = value === undefined ? [] : (pathTo(tree, value) ?? [value])
  return (
    <Cascader<Option>
      aria-label={texts.label}
      {...(wide && { style: { width: '100%' } })}
      value={path}
      options={options(tree)}
      changeOnSelect
      autoFocus={startOpen}
      defaultOpen={startOpen}
      allowClear={value !== undefined}
      loading={owners.isPending}
      notFoundContent={t('empty-list')}
      placeholder={texts.every}
      displayRender={(labels) => texts.named(labels.at(-1) ?? '')}
      onChange={(chosen) => {
        const last = chosen?.at(-1)
        onChange(typeof last === 'number' ? last : undefined)
      }}
      showSearch
      popupMatchSelectWidth={false}
    />
  )
}
