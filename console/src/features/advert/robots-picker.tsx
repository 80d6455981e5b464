/** Choose robots by name or serial number; one that has gone keeps its place, and says so. */
import { Select } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { deviceLabel, useDeviceSearch } from '@/widgets/form/device-picker'

const MOST = 1000 // as the server takes

interface Props {
  value: readonly number[]
  wrong: boolean
  onChange(deviceIds: number[]): void
}

export function RobotsPicker({ value, wrong, onChange }: Props) {
  const { t } = useTranslation('advert')
  const { list, select } = useDeviceSearch()
  const chosen = useCall(
    '/device/selectDevicePc',
    { currentPage: 1, pageSize: MOST, deviceIds: [...value] },
    { enabled: value.length > 0, keep: true },
  )
  const known = new Map([...(chosen.data?.list ?? []), ...list].map((robot) => [robot.deviceId, deviceLabel(robot)]))
  if (chosen.data && !chosen.isPlaceholderData)
    for (const id of value) if (!known.has(id)) known.set(id, t('robot-gone'))
  return (
    <Select
      {...select}
      mode="multiple"
      aria-label={t('chosen-robots')}
      placeholder={t('chosen-robots')}
      {...(wrong && { status: 'error' as const })}
      value={[...value]}
      maxCount={MOST}
      maxTagCount={8}
      onChange={(ids: number[]) => onChange(ids)}
      options={[...known].map(([id, label]) => ({ value: id, label }))}
    />
  )
}
