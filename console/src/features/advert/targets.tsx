/** Which robots show it: every one of the owner and of those below, or those of some types and those named. */
import { Radio, Select } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Problem } from '@/widgets/form/field'
import styles from './advert.module.css'
import type { Values } from './form'
import { RobotsPicker } from './robots-picker'

interface Props {
  values: Values
  fault: string | undefined
  onChange(part: Partial<Values>): void
}

export function Targets({ values, fault, onChange }: Props) {
  const { t } = useTranslation('advert')
  const sees = useMay('device/index')
  const types = useCall('/device/selectDeviceType', undefined, { enabled: values.some })
  return (
    <fieldset className={styles.group}>
      <legend>{t('targets')}</legend>
      <Radio.Group value={values.some} onChange={(event) => onChange({ some: event.target.value })}>
        <Radio value={false}>{t('all-robots')}</Radio>
        <Radio value={true}>{t('some-robots')}</Radio>
      </Radio.Group>
      {values.some && (
        <div className={styles.targets}>
          <Select
            mode="multiple"
            aria-label={t('device-type')}
            placeholder={t('device-type')}
            loading={types.isPending}
            value={[...values.typeIds]}
            onChange={(typeIds: number[]) => onChange({ typeIds })}
            showSearch={{ optionFilterProp: 'label' }}
            options={(types.data?.list ?? []).map(({ typeId, typeName }) => ({ value: typeId, label: typeName }))}
          />
          {sees && (
            <RobotsPicker
              value={values.deviceIds}
              wrong={fault !== undefined}
              onChange={(deviceIds) => onChange({ deviceIds })}
            />
          )}
        </div>
      )}
      {values.some && !fault && <p className={styles.remark}>{t('some-how')}</p>}
      <Problem text={fault} />
    </fieldset>
  )
}
