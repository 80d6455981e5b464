/** Accounts as a dense table; its rows come from the tree, or flat from a search. */

import { IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { Tag } from '@/shared/marks/tag'
import { Row, Text } from '@/shared/ui/layout'
import { Table } from '@/shared/ui/table'
import { rolesOf, type UserRow } from '@/widgets/person/person'
import { levelWord } from '../roles/levels'
import { useRoles } from '../roles/use-roles'
import { type OnUserAction, UserActions } from './user-actions'
import styles from './users.module.css'

export const COLUMNS = 8

export function UserTable({ label, above, children }: { label: string; above?: string; children: ReactNode }) {
  const { t } = useTranslation('people')
  return (
    <Table
      label={label}
      head={
        <>
          <th>{t('name')}</th>
          <th>{t('level')}</th>
          <th>{t('role')}</th>
          <th>{above ?? t('parent-user')}</th>
          <th>{t('phone')}</th>
          <th>{t('channel-email')}</th>
          <th>{t('created')}</th>
        </>
      }
    >
      {children}
    </Table>
  )
}

interface Fold {
  readonly open: boolean
  onToggle(): void
}

interface Props {
  row: UserRow
  depth?: number
  /** Without it the row stands in a flat list. */
  fold?: Fold
  onAction: OnUserAction
}

export function UserLine({ row, depth = 0, fold, onAction }: Props) {
  const { t } = useTranslation('people')
  const { date } = useFormats()
  return (
    <tr>
      <th scope="row">
        <Row as="span" gap="m" align="center" style={{ paddingInlineStart: `calc(${depth} * var(--space-xxl))` }}>
          {fold && <Folding row={row} fold={fold} />}
          <bdi>{row.name}</bdi>
          <Text as="bdi" dir="ltr" size="small" tone="soft" strong={false}>
            {row.account}
          </Text>
          {row.mustChange && <Tag>{t('first-password')}</Tag>}
        </Row>
      </th>
      <td>{t(levelWord(row.levelDepth))}</td>
      <td data-cut>
        <RoleNames row={row} />
      </td>
      <td data-cut data-soft>
        <bdi>{row.parentName}</bdi>
      </td>
      <td data-soft>
        <bdi dir="ltr">{row.phone}</bdi>
      </td>
      <td data-cut data-soft title={row.email}>
        <bdi dir="ltr">{row.email}</bdi>
      </td>
      <td data-soft>{date(Date.parse(row.createTime))}</td>
      <td data-actions>
        <UserActions row={row} onAction={onAction} />
      </td>
    </tr>
  )
}

function Folding({ row, fold }: { row: UserRow; fold: Fold }) {
  const { t } = useTranslation('people')
  const { number } = useFormats()
  const label = t('below', { name: row.name })
  if (row.childCount === 0) return <span className={styles.fold} />
  return (
    <Row
      as="button"
      inline
      align="center"
      size="small"
      tone="quiet"
      type="button"
      className={styles.fold}
      aria-expanded={fold.open}
      aria-label={`${number(row.childCount)} · ${label}`}
      title={t('count-users', { count: row.childCount })}
      onClick={fold.onToggle}
    >
      <IconChevronRight size={14} stroke={2} data-flip aria-hidden="true" />
      <span aria-hidden="true">{number(row.childCount)}</span>
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
