/** What can be done with an account: two marks, the rest in a menu; only what the asker's keys allow. */
import { IconKey, IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useSession } from '@/shared/rpc/session'
import { DotsMenu } from '@/widgets/dots-menu'
import { LineDeed } from '@/widgets/line-deed'
import styles from './people.module.css'
import type { UserRow } from './person'

export type Deed = 'edit' | 'permission' | 'bind' | 'password' | 'cut' | 'end' | 'data' | 'delete'
export type OnDeed = (deed: Deed, row: UserRow) => void

const NEEDS: Readonly<Record<Deed, string>> = {
  edit: 'user/index/edit',
  permission: 'user/index/permission',
  bind: 'device/index/bind_user',
  password: 'user/index/init_password',
  cut: 'user/index/init_password',
  end: 'index/clear_token',
  data: 'user/index/edit',
  delete: 'user/index/delete',
}
const WORDS: Readonly<Record<Deed, string>> = {
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

export function Deeds({ row, onDeed }: { row: UserRow; onDeed: OnDeed }) {
  const { t } = useTranslation('people')
  const keys = useSession()?.permissionKeys ?? {}
  const may = (deed: Deed) => keys[NEEDS[deed]] === true
  // A shadow sees what the account sees that it stands for: there is nothing to bind it to.
  const rest = (['bind', 'password', 'cut', 'end', 'data', 'delete'] as const).filter(
    (deed) => may(deed) && (deed !== 'bind' || row.shadowId === null) && (deed !== 'cut' || row.ssoTime !== null),
  )
  return (
    <span className={styles.marks}>
      {(['edit', 'permission'] as const).filter(may).map((deed) => (
        <LineDeed
          key={deed}
          icon={MARKS[deed]}
          label={t(WORDS[deed])}
          name={row.name}
          onClick={() => onDeed(deed, row)}
        />
      ))}
      <DotsMenu
        bare
        name={row.name}
        items={rest.map((deed) => ({ key: deed, label: t(WORDS[deed]), danger: deed === 'delete' }))}
        onPick={(deed) => onDeed(deed, row)}
      />
    </span>
  )
}
