/** What can be done with an account: two marks, the rest in a menu; only what the asker's keys allow. */

import { IconKey, IconPencil } from '@tabler/icons-react'
import { type TextKey, useTranslation } from '@/shared/i18n/text'
import { useSession } from '@/shared/session/session'
import { DotsMenu } from '@/widgets/list/dots-menu'
import { LineAction } from '@/widgets/list/line-action'
import type { UserRow } from '@/widgets/person/person'

export type UserAction = 'edit' | 'permission' | 'bind' | 'password' | 'cut' | 'end' | 'data' | 'delete'
export type OnUserAction = (action: UserAction, row: UserRow) => void

const NEEDS: Readonly<Record<UserAction, string>> = {
  edit: 'user/index/edit',
  permission: 'user/index/permission',
  bind: 'device/index/bind_user',
  password: 'user/index/init_password',
  cut: 'user/index/init_password',
  end: 'index/clear_token',
  data: 'user/index/edit',
  delete: 'user/index/delete',
}
const WORDS: Readonly<Record<UserAction, TextKey<'people'>>> = {
  edit: 'edit',
  permission: 'permission',
  bind: 'bind-robots',
  password: 'initial-password',
  cut: 'shell:single-sign-on',
  end: 'clear-token',
  data: 'shell:personal-data',
  delete: 'delete',
}
const MARKS = { edit: IconPencil, permission: IconKey } as const

export function UserActions({ row, onAction }: { row: UserRow; onAction: OnUserAction }) {
  const { t } = useTranslation('people')
  const keys = useSession()?.permissionKeys ?? {}
  const may = (action: UserAction) => keys[NEEDS[action]] === true
  // A shadow sees what the account sees that it stands for: there is nothing to bind it to.
  const rest = (['bind', 'password', 'cut', 'end', 'data', 'delete'] as const).filter(
    (action) =>
      may(action) && (action !== 'bind' || row.shadowId === null) && (action !== 'cut' || row.ssoTime !== null),
  )
  return (
    <>
      {(['edit', 'permission'] as const).filter(may).map((action) => (
        <LineAction
          key={action}
          icon={MARKS[action]}
          label={t(WORDS[action])}
          name={row.name}
          onClick={() => onAction(action, row)}
        />
      ))}
      <DotsMenu
        bare
        name={row.name}
        items={rest.map((action) => ({ key: action, label: t(WORDS[action]), danger: action === 'delete' }))}
        onPick={(action) => onAction(action, row)}
      />
    </>
  )
}
