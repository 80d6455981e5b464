/** The control of one field of a robot. */
import { Button, Input, InputNumber, Select, Space } from 'antd'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '@/shared/i18n/i18n'
import { useCall } from '@/shared/rpc/hooks'
import { LIMITS } from '@/shared/rpc/limits'
import { useAction } from '@/widgets/form/use-action'
import type { DeviceValue, DeviceValues } from './field-rules'
import { type DeviceField, SIM_PROVIDERS } from './fields'

interface Limit {
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
}
const FIELDS: Readonly<Record<string, Limit>> = LIMITS['/device/updateDeviceInfo']
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

interface Props {
  field: DeviceField
  values: DeviceValues
  wrong: boolean
  first: boolean
  fixed: boolean
  onChange(value: DeviceValue): void
}

type Option = { value: string | number; label: string }

export function useOptions(): (kind: DeviceField['kind']) => Option[] {
  const { t } = useTranslation('asset')
  const types = useCall('/device/selectDeviceType')
  const nodes = useCall('/wmDeviceHostInfo/queryList', {})
  const places = useCall('/wmDeviceHostInfo/places')
  const names = new Intl.DisplayNames(currentLanguage(), { type: 'region', fallback: 'code' })
  return (kind) => {
    switch (kind) {
      case 'type':
        return (types.data?.list ?? []).map(({ typeId, typeName }) => ({ value: typeId, label: typeName }))
      case 'node':
        return [
          { value: '', label: t('no-node') },
          ...(nodes.data?.list ?? []).map(({ name, url }) => ({ value: url, label: `${name} · ${url}` })),
        ]
      case 'country':
        return [
          { value: '', label: t('unknown-country') },
          ...(places.data?.countries ?? []).map((code) => ({ value: code, label: names.of(code) ?? code })),
        ]
      case 'sim':
        return SIM_PROVIDERS.map((label, value) => ({ value, label }))
      case 'zone':
        return ZONES.map((zone) => ({ value: zone, label: zone }))
      case 'protocol':
        return [2, 3].map((value) => ({ value, label: String(value) }))
      default:
        return []
    }
  }
}

export function DeviceFieldControl({ field, values, wrong, first, fixed, onChange }: Props) {
  const { t } = useTranslation('asset')
  const options = useOptions()(field.kind)
  const value = values[field.name] ?? null
  const status = wrong ? { status: 'error' as const } : {}
  const numeric = (
    <InputNumber
      {...status}
      style={{ width: '100%' }}
      dir="ltr"
      controls={false}
      disabled={fixed}
      {...(field.digits === undefined && { precision: 0 })}
      value={value === null ? null : Number(value)}
      onChange={(number) => onChange(number)}
    />
  )
  if (field.kind === 'port')
    return (
      <Space.Compact block>
        {numeric}
        <FreePort host={String(values.frpHost ?? '')} onPort={onChange} />
      </Space.Compact>
    )
  if (field.kind === 'number') return numeric
  if (field.kind)
    return (
      <Select
        {...status}
        aria-label={t(field.label)}
        value={value}
        options={options}
        allowClear={field.kind === 'sim'}
        showSearch={{ optionFilterProp: 'label' }}
        onChange={(chosen: DeviceValue | undefined) => onChange(chosen ?? null)}
      />
    )
  return (
    <Input
      {...status}
      autoFocus={first}
      aria-invalid={wrong}
      disabled={fixed}
      value={String(value ?? '')}
      maxLength={FIELDS[field.name]?.maxLength}
      {...(field.ltr && { dir: 'ltr' })}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

/** Asks the server for one that nobody else gets. */
function FreePort({ host, onPort }: { host: string; onPort: (port: number) => void }) {
  const { t } = useTranslation('asset')
  const action = useAction('/device/generateFrpPort', t('free-port'))
  return (
    <Button
      loading={action.busy}
      danger={action.problem !== undefined}
      title={action.problem ?? t('free-port')}
      onClick={() => action.run({ frpHost: host }, ({ port }) => onPort(port))}
    >
      {t('free-port')}
    </Button>
  )
}
