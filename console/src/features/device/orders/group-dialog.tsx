/** Adds robots to a group; those that it does not take are named with why. What joined can be taken back for a moment. */
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall, useSend } from '@/shared/rpc/hooks'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { RefusedList } from '@/widgets/robot/order-outcome'

type Added = Answer<'/deviceGroup/addDevices'>
type Group = Answer<'/deviceGroup/selectAll'>['list'][number]

const WHY = { in_group: 'in-group', not_seen: 'group-not-seen', unlike: 'group-unlike' } as const

interface Props {
  ids: readonly number[]
  onClose(): void
  /** It closes, and the robots are in the group as far as it takes them. */
  onDone(): void
}

export function AddToGroupDialog({ ids, onClose, onDone }: Props) {
  const { t } = useTranslation('device')
  const groups = useCall('/deviceGroup/selectAll', {})
  const [group, setGroup] = useState<Group>()
  const [added, setAdded] = useState<Added>()
  const action = useAction('/deviceGroup/addDevices', t('add-to-group'), ['id'])
  const restore = useSend('/deviceGroup/update', { action: t('robot:undo') })
  const done = (answer: Added) => {
    if (!group) return
    const undo = () => restore.mutate({ id: group.id, deviceIds: [...group.deviceIds] })
    if (answer.added > 0)
      notice('success', t('added-to-group', { count: answer.added, group: group.name }), {
        label: t('robot:undo'),
        run: undo,
      })
    if (answer.list.length > 0) setAdded(answer)
    else onDone()
  }
  return (
    <Modal
      open
      title={t('add-to-group')}
      okText={added ? t('close') : t('add-to-group')}
      cancelText={t('cancel')}
      footer={(both, { OkBtn }) => (added ? <OkBtn /> : both)}
      okButtonProps={{ loading: action.busy, disabled: !group }}
      onOk={() => (added ? onDone() : group && action.run({ id: group.id, deviceIds: [...ids] }, done))}
      onCancel={added ? onDone : onClose}
    >
      {added ? (
        <RefusedList
          done={t('added-of', { added: added.added, all: ids.length })}
          refused={added.list.map(({ deviceId, deviceCode, reason }) => ({
            id: deviceId,
            name: deviceCode,
            why: t(WHY[reason]),
          }))}
        />
      ) : (
        <Field label={t('device-group')} fault={action.problemAt('id')}>
          <Select
            aria-label={t('device-group')}
            value={group?.id}
            onChange={(id) => setGroup(groups.data?.list.find((entry) => entry.id === id))}
            loading={groups.isPending}
            showSearch={{ optionFilterProp: 'label' }}
            options={(groups.data?.list ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Field>
      )}
      <Problem text={action.problem} />
    </Modal>
  )
}
