/** A range taken apart by robot, type, group, customer or country. */
import { Segment, Segments } from '@/shared/controls/segments'
import { type TextKey, useTranslation } from '@/shared/i18n/text'
import type { Payload } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { Nothing } from '@/shared/ui/query-view'
import { ListView } from '@/widgets/list/list-view'
import { PART_COLUMNS } from './columns'
import { PARTS, type Part } from './filters'
import type { Sums } from './points'

const WORDS: Readonly<Record<Part, TextKey<'chart'>>> = {
  robot: 'device',
  type: 'device-type',
  group: 'device-group',
  customer: 'customer',
  country: 'country',
}

interface Props {
  payload: Omit<Payload<'/taskReport/chartParts'>, 'by'>
  by: Part
  onChoose(by: Part): void
  whole: Sums | undefined
}

/** Its sheet ends with the sum, but by group: a robot counts in each of its groups. */
export function PartsPanel({ payload, by, onChoose, whole }: Props) {
  const { t } = useTranslation('chart')
  const query = useCall('/taskReport/chartParts', { ...payload, by }, { keep: true })
  return (
    <Row as="section" stack gap="m" aria-label={t('by')}>
      <Text as="h2" strong>
        {t('by')}
      </Text>
      <ListView
        name="chart-parts"
        texts="chart"
        label={t('by')}
        columns={PART_COLUMNS}
        query={query}
        sum={whole && by !== 'group' ? { label: t('sum'), row: { ...whole, key: '', name: '' } } : undefined}
        idOf={({ key }) => key}
        empty={<Nothing why={t('no-runs')} />}
        search={
          <Segments label={t('by')}>
            {PARTS.map((part) => (
              <Segment key={part} on={part === by} onChoose={() => onChoose(part)}>
                {t(WORDS[part])}
              </Segment>
            ))}
          </Segments>
        }
      />
    </Row>
  )
}
