/** The shape in hand that reaches beyond the map: its figures, and the two ways out of it. */
import { IconTrash } from '@tabler/icons-react'
import { Button, Input } from 'antd'
import { isFlag, type Mark } from '@/canvas/document/document'
import { boxOf } from '@/canvas/geometry/geometry'
import type { MapView } from '@/canvas/view'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Columns, Row, Text } from '@/shared/ui/layout'
import { Field } from '@/widgets/form/field'

export function RefusedForm({ view, mark }: { view: MapView; mark: Mark }) {
  const { t } = useTranslation('map')
  const { column } = useFormats()
  if (isFlag(mark)) return null
  const { left, right, top, bottom } = boxOf(mark.points)
  const figure = (label: string, value: string) => (
    <Field label={label}>
      <Input size="small" readOnly value={value} />
    </Field>
  )
  return (
    <Columns gap="m" lines="none" pad="m l" rule="above">
      {figure(t('width'), column(right - left, 2))}
      {figure(t('height'), column(top - bottom, 2))}
      <Text tone="help" above="m" data-wide>
        {t('problem-edge')}
      </Text>
      <Row wrap gap="s" above="m" data-wide>
        <Button size="small" icon={<IconTrash size={15} />} onClick={() => view.cancel()}>
          {t('delete')}
        </Button>
        <Button size="small" type="primary" onClick={() => view.fitShape()}>
          {t('fit-to-map')} <kbd>F</kbd>
        </Button>
      </Row>
    </Columns>
  )
}
