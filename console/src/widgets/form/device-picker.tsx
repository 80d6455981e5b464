/** Choose one device by name or serial number; the server searches, one page at a time. */
import { Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'

type Device = Answer<'/device/selectDevicePc'>['list'][number]

const PAGE = 30

/** The devices that are found, and what a Select needs to look for them. */
export function useDeviceSearch() {
  const { t } = useTranslation('robot')
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  const search = useDeferredValue(text)
  const devices = useCall(
    '/device/selectDevicePc',
    { currentPage: 1, pageSize: PAGE, sort: 'name', ...(search && { deviceCode: search }) },
    { enabled: open, keep: true },
  )
  const list: readonly Device[] = devices.data?.list ?? []
  return {
    list,
    select: {
      loading: open && devices.isFetching,
      onOpenChange: setOpen,
      showSearch: { filterOption: false, onSearch: setText },
      notFoundContent: t('empty-search'),
    },
  }
}

export const deviceLabel = (device: Pick<Device, 'deviceCode' | 'deviceSerialNumber'>) =>
  `${device.deviceCode} · ${device.deviceSerialNumber}`

interface Props {
  value: number | undefined
  onChange(deviceId: number | undefined): void
  label: string
  placeholder: string
  className?: string | undefined
  disabled?: boolean
  wrong?: boolean
  'aria-describedby'?: string
}

export function DevicePicker({ value, onChange, label, placeholder, className, wrong, ...rest }: Props) {
  const { list, select } = useDeviceSearch()
  const chosen = useCall('/device/selectDeviceByDeviceId', { deviceId: value ?? 0 }, { enabled: value !== undefined })
  const known = chosen.data && !list.some((d) => d.deviceId === value) ? [chosen.data, ...list] : list
  return (
    <Select
      {...select}
      {...rest}
      {...(wrong && { status: 'error', 'aria-invalid': true })}
      className={className ?? ''}
      aria-label={label}
      value={value ?? null}
      placeholder={placeholder}
      allowClear
      onChange={(id: number | null) => onChange(id ?? undefined)}
      popupMatchSelectWidth={false}
      options={known.map((device) => ({ value: device.deviceId, label: deviceLabel(device) }))}
    />
  )
}
