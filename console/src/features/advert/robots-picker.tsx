/** Choose robots by name or serial number; the server searches, one page at a time. */
import { Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '@/shared/rpc/hooks'

const PAGE = 30
const MOST = 1000 // as the server takes

interface Props {
  value: readonly number[]
  wrong: boolean
  onChange(deviceIds: number[]): void
}

export function RobotsPicker({ value, wrong, onChange }: Props) {
  const { t } = useTranslation('advert')
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  const wanted = useDeferredValue(text)
  const found = useCall(
    '/device/selectDevicePc',
    { currentPage: 1, pageSize: PAGE, ...(wanted && { deviceCode: wanted }) },
    { enabled: open, keep: true },
  )
  const chosen = useCall(
    '/device/selectDevicePc',
    { currentPage: 1, pageSize: MOST, deviceIds: [...value] },
    { enabled: value.length > 0, keep: true },
  )
  const known = new Map(
    [...(chosen.data?.list ?? []), ...(found.data?.list ?? [])].map((robot) => [
      robot.deviceId,
      `${robot.deviceCode} · ${robot.deviceSerialNumber}`,
    ]),
  )
  if (chosen.data && !chosen.isPlaceholderData)
    for (const id of value) if (!known.has(id)) known.set(id, t('robot-gone'))
  return (
    <Select
      mode="multiple"
      aria-label={t('chosen-robots')}
      placeholder={t('chosen-robots')}
      {...(wrong && { status: 'error' as const })}
      value={[...value]}
      maxCount={MOST}
      maxTagCount={8}
      loading={open && found.isFetching}
      onOpenChange={setOpen}
      showSearch={{ filterOption: false, onSearch: setText }}
      notFoundContent={t('empty-search')}
      onChange={(ids: number[]) => onChange(ids)}
      options={[...known].map(([id, label]) => ({ value: id, label }))}
    />
  )
}
