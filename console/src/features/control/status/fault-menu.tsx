/** Faults of a virtual robot: each is caused, and ended again, by a press, so that one sees what a fault does to the work. */
import { IconBug, IconCheck } from '@tabler/icons-react'
import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import type { Keys } from '@/shared/i18n/keys'
import { useTranslation } from '@/shared/i18n/text'
import type { Payload } from '@/shared/rpc/contract'
import { useSend } from '@/shared/rpc/hooks'
import { faultKey } from '@/widgets/alarm/cause'

type Name = Payload<'/device/fault'>['name']

/** Those that a robot shows by a notice and not by a call for help. */
const NOTICES: Readonly<Partial<Record<Name, Keys['common']>>> = {
  low_battery: 'banner-low-battery',
  low_liquid: 'banner-disinfectant-level',
  serial: 'banner-serial-connection',
}
const NAMES: readonly Name[] = [
  ...(['stuck', 'lost', 'door_stuck', 'lidar', 'depth_camera', 'odometer', 'imu', 'path_not_solved'] as const),
  ...(['0x0534', '0x0610', 'low_battery', 'low_liquid', 'serial', 'network_abnormal', 'map_load_failed'] as const),
]

export function FaultMenu({ deviceId, help }: { deviceId: number; help: string }) {
  const { t } = useTranslation('control')
  const { t: robot } = useTranslation('robot')
  const send = useSend('/device/fault', { action: t('simulate-fault') })
  const [caused, setCaused] = useState<ReadonlySet<Name>>(new Set()) // the robot tells of one at a time
  const isOn = (name: Name) => caused.has(name) || help === name
  const flip = (name: Name) => {
    const on = !isOn(name)
    send.mutate(
      { deviceId, name, on },
      {
        onSuccess: () =>
          setCaused((was) => new Set([...[...was].filter((other) => other !== name), ...(on ? [name] : [])])),
      },
    )
  }
  const items = NAMES.map((name) => ({
    key: name,
    label: robot(NOTICES[name] ?? faultKey(name) ?? 'alarm-path-error'),
    icon: <IconCheck size={16} visibility={isOn(name) ? 'visible' : 'hidden'} aria-hidden="true" />,
    'aria-checked': isOn(name),
  }))
  const press = (key: string) => {
    const name = NAMES.find((each) => each === key)
    if (name) flip(name)
  }
  return (
    <Dropdown menu={{ items, onClick: ({ key }) => press(key) }} trigger={['click']}>
      <Button size="small" loading={send.isPending} icon={<IconBug size={16} />}>
        {t('simulate-fault')}
      </Button>
    </Dropdown>
  )
}
