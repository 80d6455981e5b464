/** Whose a robot becomes that enrols by a code, and of which type it is if it does not say. */
import { Select } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Field } from '@/widgets/form/field'
import { OwnerTree } from '@/widgets/form/owner-tree'

interface Props {
  owner: number | undefined
  onOwner(owner: number | undefined): void
  ownerHint?: string
  ownerFault?: string | undefined
  type: number | undefined
  onType(type: number | undefined): void
}

export function CodeFields({ owner, onOwner, ownerHint, ownerFault, type, onType }: Props) {
  const { t } = useTranslation('asset')
  const types = useCall('/device/selectDeviceType')
  return (
    <>
      <Field label={t('owner')} hint={ownerHint} fault={ownerFault}>
        <OwnerTree
          wide
          value={owner}
          onChange={onOwner}
          words={{ label: t('owner'), every: t('myself'), named: String }}
        />
      </Field>
      <Field label={t('device-type')} hint={t('code-type-how')}>
        <Select
          aria-label={t('device-type')}
          value={type ?? null}
          allowClear
          placeholder={t('as-robot-says')}
          onChange={(chosen: number | null | undefined) => onType(chosen ?? undefined)}
          options={(types.data?.list ?? []).map(({ typeId, typeName }) => ({ value: typeId, label: typeName }))}
        />
      </Field>
    </>
  )
}
