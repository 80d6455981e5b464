/** A map goes to a robot: its bundle from here through the relay, as everything that a person does to one robot. */
import { Select } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { relayCall } from '@/shared/relay/relay'
import { raw } from '@/shared/rpc/call'
import { useCall } from '@/shared/rpc/hooks'
import { deviceLabel, useDeviceSearch } from '@/widgets/form/device-picker'
import { Field } from '@/widgets/form/field'
import { has } from '@/widgets/robot/robot'

interface Place {
  readonly building: string
  readonly floor: string
}

export interface Receiver extends Place {
  readonly id: number
  readonly name: string
}

interface Given {
  readonly mapId: number
  readonly name: string
}

/** `onSend`: it is fetched, and goes to the robot now. */
export async function giveMap({ mapId, name }: Given, robot: Receiver, onSend?: () => void) {
  const bundle = await raw('/map/bundle', { mapId, form: 'robot' })
  onSend?.()
  const form = new FormData()
  form.append('map_name', name)
  form.append('file', bundle, `${name}.zip`)
  await relayCall(robot.id, 'map/Upload', form)
}

/** Where a map that says no place stands with this robot: on its floor; where that has a map, on one of the map's name. */
export function useHome(plan: Place | undefined, robot: Receiver | undefined, name: string): Place | undefined {
  const maps = useCall('/map/selectMap', {}, { enabled: robot !== undefined }).data?.list ?? []
  if (!plan || plan.building || plan.floor || !robot?.building) return undefined
  const { building, floor } = robot
  const taken = maps.some((map) => map.building === building && map.floor === floor)
  return { building, floor: taken ? name.trim() : floor }
}

interface Props {
  label: string
  placeholder: string
  robot: Receiver | undefined
  /** It may be left out. */
  clearable?: boolean
  onChange(robot: Receiver | undefined): void
}

/** Those that are on and take maps. */
export function ReceiverField({ label, placeholder, robot, clearable = false, onChange }: Props) {
  const { t } = useTranslation('map')
  const { list, select } = useDeviceSearch()
  const blocked = (device: (typeof list)[number]) => {
    if (device.mode === 'offline') return t('offline')
    return has(device, 'map/Upload') ? '' : t('takes-no-maps')
  }
  const choose = (id: number) => {
    const device = list.find(({ deviceId }) => deviceId === id)
    if (device) onChange({ id, name: device.deviceCode, building: device.address, floor: device.address1 })
  }
  return (
    <Field label={label}>
      <Select
        {...select}
        labelInValue
        aria-label={label}
        allowClear={clearable}
        placeholder={placeholder}
        value={robot ? { value: robot.id, label: robot.name } : null}
        onChange={(chosen: { value: number; label?: unknown } | null | undefined) =>
          chosen ? choose(Number(chosen.value)) : onChange(undefined)
        }
        options={list.map((device) => ({
          value: device.deviceId,
          label: [deviceLabel(device), blocked(device)].filter(Boolean).join(' · '),
          disabled: blocked(device) !== '',
        }))}
      />
    </Field>
  )
}
