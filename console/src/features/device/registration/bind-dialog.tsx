/** An account that sees this robot without owning it, from now on or no longer. */

import { Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Field, Problem } from '@/widgets/form/field'
import { OwnerTree } from '@/widgets/form/owner-tree'
import { useAction } from '@/widgets/form/use-action'
import type { DialogProps } from '../dialog-props'

export function BindDialog({ row, onClose }: DialogProps) {
  const { t } = useTranslation('asset')
  const [account, setAccount] = useState<number>()
  const [status, setStatus] = useState<0 | 1>(1)
  const action = useAction('/device/updateUserDeviceStatus', t('bind-user'), ['userId'])
  return (
    <Modal
      open
      title={t('bind-robot', { name: row.deviceCode })}
      okText={t('save')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy, disabled: account === undefined }}
      onOk={() => account && action.run({ deviceId: row.deviceId, userId: account, status }, onClose)}
      onCancel={onClose}
    >
      <Text tone="quiet" below="m">
        {t('bind-robot-how')}
      </Text>
      <Field label={t('user')} fault={action.problemAt('userId')}>
        <OwnerTree
          wide
          value={account}
          onChange={setAccount}
          words={{ label: t('user'), every: t('choose-user'), named: String }}
        />
      </Field>
      <Radio.Group
        style={{ marginBlockStart: 10 }}
        value={status}
        onChange={(event) => setStatus(event.target.value)}
        options={[
          { value: 1, label: t('sees-robot') },
          { value: 0, label: t('sees-no-more') },
        ]}
      />
      <Problem text={action.problem} />
    </Modal>
  )
}
