/** Over which days and which robots: the ranges that are asked for most, or days of one's own. */
import { Segment, Segments } from '@/shared/controls/segments'
import { type TextKey, useTranslation } from '@/shared/i18n/text'
import { Toolbar } from '@/shared/ui/layout'
import { DevicePicker } from '@/widgets/form/device-picker'
import { OwnerTree } from '@/widgets/form/owner-tree'
import { Days } from '@/widgets/list/days'
import { type FILTERS, RANGES, type Range } from './filters'

type Choice = typeof FILTERS.none

const WORDS: Readonly<Record<Range, TextKey<'chart'>>> = {
  week: 'last-week',
  month: 'last-month',
  threeMonths: 'last-three-months',
  year: 'last-year',
}

interface Props {
  values: Choice
  change(part: Partial<Choice>): void
}

export function AskBar({ values, change }: Props) {
  const { t } = useTranslation('chart')
  const free = values.from !== undefined || values.to !== undefined
  const current = free ? undefined : (values.range ?? 'month')
  return (
    <Toolbar>
      <Segments label={t('range')}>
        {RANGES.map((range) => (
          <Segment
            key={range}
            on={range === current}
            onChoose={() => change({ range, from: undefined, to: undefined })}
          >
            {t(WORDS[range])}
          </Segment>
        ))}
      </Segments>
      <Days from={values.from} to={values.to} onChange={({ from, to }) => change({ from, to, range: undefined })} />
      <DevicePicker
        value={values.device}
        onChange={(device) => change({ device })}
        label={t('device')}
        placeholder={t('all-devices')}
      />
      <OwnerTree value={values.owner} onChange={(owner) => change({ owner })} />
    </Toolbar>
  )
}
