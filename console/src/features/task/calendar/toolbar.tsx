/** Which building or robot, which time: all of it stands in the address. */
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Button, Select } from 'antd'
import type { ReactNode } from 'react'
import { Segment, Segments } from '@/shared/controls/segments'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import { DevicePicker } from '@/widgets/form/device-picker'
import type { Place } from '../place'
import styles from './calendar.module.css'
import { dayMs, offset, plusDays } from './days'

interface Props {
  place: Place
  today: string
  /** Actions at the end. */
  children?: ReactNode
}

export function Toolbar({ place, today, children }: Props) {
  const { t } = useTranslation('task')
  const { days: range } = useFormats()
  const { by, building, buildings, deviceId, span, days, zone, change } = place
  const [first = today, last = today] = [days[0], days.at(-1)]
  const turn = (way: 1 | -1) => change({ day: plusDays(first, way * days.length) })
  return (
    <Row wrap gap="m" align="center">
      {by === 'building' ? (
        <Select
          className={styles.where ?? ''}
          aria-label={t('building')}
          value={building || null}
          placeholder={t('building')}
          popupMatchSelectWidth={false}
          showSearch={{ optionFilterProp: 'label' }}
          onChange={(chosen: string) => change({ building: chosen })}
          options={buildings.map((entry) => ({ value: entry.building, label: entry.building }))}
        />
      ) : (
        <DevicePicker
          value={deviceId}
          label={t('robot')}
          placeholder={t('choose-robot')}
          onChange={(id) => change({ deviceId: id })}
        />
      )}
      <Button
        icon={<IconChevronLeft size={16} data-flip />}
        aria-label={t(span === 'week' ? 'week-before' : 'day-before')}
        onClick={() => turn(-1)}
      />
      <Text as="h2" size="body" strong cut aria-live="polite">
        {range(dayMs(first), dayMs(last))}
      </Text>
      <Button
        icon={<IconChevronRight size={16} data-flip />}
        aria-label={t(span === 'week' ? 'week-after' : 'day-after')}
        onClick={() => turn(1)}
      />
      <Button onClick={() => change({ day: undefined })}>{t('today-button')}</Button>
      <Text as="span" size="small" tone="soft">
        <bdi dir="ltr">
          {zone}, {offset(dayMs(first), zone)}
        </bdi>
      </Text>
      <Row wrap gap="m" end>
        <Segments label={t('whose')}>
          <Segment on={by === 'robot'} onChoose={() => change({ by: 'robot' })}>
            {t('robot')}
          </Segment>
          <Segment on={by === 'building'} onChoose={() => change({ by: undefined })}>
            {t('building')}
          </Segment>
        </Segments>
        <Segments label={t('how-long')}>
          <Segment on={span === 'day'} onChoose={() => change({ span: 'day' })}>
            {t('day')}
          </Segment>
          <Segment on={span === 'week'} onChoose={() => change({ span: undefined })}>
            {t('week')}
          </Segment>
        </Segments>
        {children}
      </Row>
    </Row>
  )
}
