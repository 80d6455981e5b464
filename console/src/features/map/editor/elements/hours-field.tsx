/** Hours of a zone, a room or the whole map: on or off, from and to. They are those of the robot's own clock. */
import { Checkbox } from 'antd'
import type { MapDocument } from '@/canvas/document/document'
import { type Hours, withHours } from '@/canvas/document/hours'
import type { MapView } from '@/canvas/view'
import { useTranslation } from '@/shared/i18n/text'
import { Columns, Text } from '@/shared/ui/layout'
import { Field } from '@/widgets/form/field'
import { ClockInput } from '@/widgets/form/time/clock-input'

const NIGHT: Hours = { start: '22:00', end: '06:00' }

interface Props {
  label: string
  how: string
  value: Hours | undefined
  locked: boolean
  onChange(hours: Hours | undefined): void
}

export function HoursField({ label, how, value, locked, onChange }: Props) {
  const { t } = useTranslation('map')
  const time = (name: string, at: keyof Hours) => (
    <Field label={name}>
      <ClockInput
        size="small"
        disabled={locked}
        value={value?.[at] ?? ''}
        onChange={(text) => value && onChange({ ...value, [at]: text })}
      />
    </Field>
  )
  return (
    <Text as="fieldset" above="m" data-wide aria-label={label}>
      <Checkbox
        disabled={locked}
        checked={value !== undefined}
        onChange={(event) => onChange(event.target.checked ? NIGHT : undefined)}
      >
        {label}
      </Checkbox>
      {value && (
        <Columns gap="m" below="xs">
          {time(t('hours-from'), 'start')}
          {time(t('hours-to'), 'end')}
        </Columns>
      )}
      <Text size="small" tone="soft">
        {how}
      </Text>
    </Text>
  )
}

/** Of the whole map, where no element is chosen. */
export function MapHours({ view, map, locked }: { view: MapView; map: MapDocument; locked: boolean }) {
  const { t } = useTranslation('map')
  return (
    <Columns gap="m" pad="xs l" rule="above">
      <HoursField
        label={t('hours-map')}
        how={t('hours-map-how')}
        value={map.hours}
        locked={locked}
        onChange={(hours) => view.editor.commit(withHours(view.editor.map, hours))}
      />
      {map.hours && map.hours.start === map.hours.end && (
        <Text tone="help" data-wide role="alert">
          {t('problem-hours')}
        </Text>
      )}
    </Columns>
  )
}
