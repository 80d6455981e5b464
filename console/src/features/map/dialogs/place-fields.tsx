/** Building and floor of a map: chosen from those that maps have, or typed as new. A name nearly like one is asked about. */
import { AutoComplete } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { LIMITS } from '@/shared/rpc/limits'
import { Field } from '@/widgets/form/field'
import { nearName } from './near-name'

const LIMIT = LIMITS['/map/editMap']

interface Place {
  building?: string
  floor?: string
}

interface Props {
  building: string
  /** Undefined: the floors have names of their own. */
  floor: string | undefined
  onChange(place: Place): void
}

export function PlaceFields({ building, floor, onChange }: Props) {
  const { t } = useTranslation('map')
  const maps = useCall('/map/selectMap', {}).data?.list ?? []
  const buildings = maps.map((map) => map.building)
  const floors = maps.filter((map) => map.building === building.trim()).map((map) => map.floor)
  const field = (key: 'building' | 'floor', value: string, names: readonly string[]) => {
    const known = [...new Set(names)].filter(Boolean).sort()
    const near = nearName(value, known)
    return (
      <Field label={t(key)} hint={near && t('near-name', { name: near })}>
        <AutoComplete
          value={value}
          options={known.map((name) => ({ value: name }))}
          showSearch={{ filterOption: (typed, option) => !!option?.value.toLowerCase().includes(typed.toLowerCase()) }}
          onChange={(text: string) => onChange({ [key]: text.slice(0, LIMIT[key].maxLength) })}
        />
      </Field>
    )
  }
  return (
    <>
      {field('building', building, buildings)}
      {floor !== undefined && field('floor', floor, floors)}
    </>
  )
}
