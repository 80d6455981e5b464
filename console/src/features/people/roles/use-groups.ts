/** Role groups that this account, or accounts below it, made. */
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'

export function useGroups() {
  const { t } = useTranslation('people')
  const query = useCall('/user/role/group/list', {})
  const groups = query.data?.list ?? []
  const nameOf = (id: number) => groups.find((group) => group.id === id)?.name ?? t('group-numbered', { id })
  return { query, groups, nameOf }
}
