/** What is shown of an account, in the tree and in a search alike. */
import type { ReactNode } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Tag } from '@/shared/marks/tag'
import { Row, Text } from '@/shared/ui/layout'
import type { Column } from '@/widgets/list/columns'
import { rolesOf, type UserRow } from '@/widgets/person/person'
import { levelWord } from '../roles/levels'
import { useRoles } from '../roles/use-roles'

/** `above`: key of the heading of whom it stands below, or stands for. */
export const columnsOf = (above: 'parent-user' | 'shadow-of'): readonly Column<UserRow>[] => [
  { key: 'name', label: 'name', heading: true, cell: (row) => <Name row={row} /> },
  {
    key: 'levelDepth',
    label: 'level',
    value: ({ levelDepth }) => levelDepth,
    cell: ({ levelDepth }, { t }) => t(levelWord(levelDepth)),
  },
  { key: 'role', label: 'role', cut: true, cell: (row) => <RoleNames row={row} /> },
  { key: 'parentName', label: above, cut: true, soft: true },
  { key: 'phone', label: 'phone', ltr: true, soft: true },
  { key: 'email', label: 'channel-email', ltr: true, cut: true, soft: true },
  { key: 'createTime', label: 'created', soft: true, cell: (row, { date }) => date(Date.parse(row.createTime)) },
]

interface NameProps {
  row: UserRow
  /** How deep it stands in the tree. */
  depth?: number
  /** What unfolds it. */
  fold?: ReactNode
}

export function Name({ row, depth = 0, fold }: NameProps) {
  const { t } = useTranslation('people')
  return (
    <Row as="span" gap="m" align="center" style={{ paddingInlineStart: `calc(${depth} * var(--space-xxl))` }}>
      {fold}
      <bdi>{row.name}</bdi>
      <Text as="bdi" dir="ltr" size="small" tone="soft" strong={false}>
        {row.account}
      </Text>
      {row.mustChange && <Tag>{t('first-password')}</Tag>}
    </Row>
  )
}

/** What decides what the account may do: its roles and groups, or keys chosen one by one. */
function RoleNames({ row }: { row: UserRow }) {
  const { t } = useTranslation('people')
  const { nameOf } = useRoles()
  if (row.keys) return t('exact-keys', { count: row.keys.length })
  const names = rolesOf(row).map(nameOf)
  return [...names, ...(row.groups.length > 0 ? [t('count-groups', { count: row.groups.length })] : [])].join(' · ')
}
