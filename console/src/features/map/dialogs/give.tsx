/** A map goes to a robot: its bundle from here through the relay, as everything that a person does to one robot. */
import { Select } from 'antd'
import { relayCall } from '@/shared/relay/relay'
import { raw } from '@/shared/rpc/call'
import { deviceLabel, useDeviceSearch } from '@/widgets/form/device-picker'
import { Field } from '@/widgets/form/field'
import { has } from '@/widgets/robot/robot'

export interface Receiver {
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
  const { list, select } = useDeviceSearch()
  const choose = (id: number) => onChange({ id, name: list.find(({ deviceId }) => deviceId === id)?.deviceCode ?? '' })
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
          label: deviceLabel(device),
          disabled: device.mode === 'offline' || !has(device, 'map/Upload'),
        }))}
      />
    </Field>
  )
}
