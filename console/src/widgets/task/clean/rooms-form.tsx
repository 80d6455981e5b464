/** Rooms of a floor to choose from, how they are cleaned, and what that will take. */
import { Checkbox, Segmented } from 'antd'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import { Warning } from '../../form/field'
import { type CleanedRoom, useCleanedRooms, useCleanedText } from '../../map/cleaned-rooms'
import { MannerFields } from '../manner-fields'
import styles from './clean.module.css'
import type { Cleaning } from './cleaning'
import type { RoomForecast } from './room-forecast'

const TIMES = [1, 2, 3] as const

/** `carpets`: whether the robot can clean them. */
export function RoomsForm({ cleaning, carpets }: { cleaning: Cleaning; carpets: boolean }) {
  const { t } = useTranslation('control')
  const { mapId, choice, manner, setManner, times, setTimes, plans, problems, wet } = cleaning
  const { rooms, chosen } = choice
  const cleaned = useCleanedRooms(mapId)
  return (
    <>
      <Text as="p" size="small" tone="soft">
        {t('clean-rooms-how')}
      </Text>
      <ul className={styles.rooms} aria-label={t('rooms')}>
        {rooms.map((room) => {
          const place = chosen.indexOf(room)
          return (
            <li key={room.id}>
              <Checkbox checked={place >= 0} onChange={() => choice.toggle(room.id)}>
                <bdi>{room.name}</bdi>
              </Checkbox>
              <LastCleaned room={cleaned.find(({ id, name }) => id === room.id || name === room.name)} />
              {place >= 0 && chosen.length > 1 && <b>{place + 1}</b>}
            </li>
          )
        })}
      </ul>
      <Row gap="m" align="center" justify="between">
        <span id="room-times">{t('times')}</span>
        <Segmented
          size="small"
          aria-labelledby="room-times"
          value={times}
          options={TIMES.map((value) => ({ value, label: <bdi dir="ltr">{value}×</bdi> }))}
          onChange={setTimes}
        />
      </Row>
      <details className={styles.more}>
        <summary>{t('how-it-cleans')}</summary>
        <MannerFields manner={manner} carpets={carpets} follows={false} onChange={setManner} />
      </details>
      {chosen.length > 0 && plans.length === chosen.length && <Sum plans={plans} times={times} />}
      {problems.map(({ name, text }) => (
        <Text as="p" size="small" tone="help" role="alert" key={name}>
          <bdi>{name}</bdi>: {text}
        </Text>
      ))}
      {wet && <Warning>{t('wet-floor-warning')}</Warning>}
    </>
  )
}

function LastCleaned({ room }: { room: CleanedRoom | undefined }) {
  const text = useCleanedText()
  return (
    room && (
      <Text as="span" size="small" tone="soft">
        {text(room)}
      </Text>
    )
  )
}

function Sum({ plans, times }: { plans: readonly RoomForecast[]; times: number }) {
  const { t } = useTranslation('control')
  const { area, percent, span } = useFormats()
  const sum = (part: (of: RoomForecast['forecast']) => number) =>
    times * plans.reduce((all, { forecast }) => all + part(forecast), 0)
  return (
    <Text as="p" size="small">
      {t('rooms-forecast', {
        count: plans.length,
        area: area(sum((of) => of.reachable ?? of.area)).text,
        time: span(sum((of) => of.seconds) * 1000),
        battery: percent(sum((of) => of.battery) / 100),
      })}
    </Text>
  )
}
