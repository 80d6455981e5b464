/** Roles that may be granted here, and what each is called: presets in the reader's language, others as they were named. */
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { useSession } from '@/shared/session/session'
import { roleWord } from './levels'

const ANY_OF = ['user/role', 'user/index/role_group', 'user/index/permission', 'user/index/add']

export function useRoles() {
  const { t } = useTranslation('people')
  const keys = useSession()?.permissionKeys ?? {}
  const query = useCall('/user/role/list', {}, { enabled: ANY_OF.some((key) => keys[key]) })
  const roles = query.data?.list ?? []
  const nameOf = (id: number) => {
    const word = roleWord(id)
    return word ? t(word) : (roles.find((role) => role.id === id)?.name ?? t('role-numbered', { id }))
  }
  return { query, roles, nameOf }
}
