/** What was cleaned today against the plan, and the month day by day. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { LaneColumns, LaneProgress } from '@/shared/marks/lanes'
import type { Answer } from '@/shared/rpc/contract'
import { Row, Text } from '@/shared/ui/layout'
import { shareOf } from '@/widgets/share'
import styles from './big-screen.module.css'
import { Tile } from './tile'

type Month = Answer<'/board/bigScreen'>['month']

const WIDTH = 410
const HEIGHT = 124
const LABELLED = [1, 7, 14, 21, 28]

interface Props {
  board: Answer<'/board/overview'>
  month: Month
  at: number
}

export function CleanedTile({ board, month, at }: Props) {
  const { t } = useTranslation('wall')
  const { area, percent } = useFormats()
  const cleaned = area(board.cleanedToday)
  const share = shareOf(board.cleanedToday, board.plannedToday)
  return (
    <Tile title={t('cleaned-today')} at={at}>
      <p className={styles.number}>
        <bdi>
          {cleaned.value} <small>{cleaned.unit}</small>
        </bdi>
      </p>
      <LaneProgress ratio={share} label={t('cleaned-today')} />
      <Text tone="quiet" above="s">
        {t('share-of-plan', { share: percent(share), area: area(board.plannedToday).text })}
      </Text>
      <Days month={month} />
    </Tile>
  )
}

function Days({ month }: { month: Month }) {
  const { t } = useTranslation('wall')
  const { area, month: monthName, shortDay } = useFormats()
  const first = new Date(`${month[0]?.date ?? '2000-01-01'}T12:00:00Z`)
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const values = Array.from({ length }, (_, day) => month[day]?.cleaned ?? 0)
  const sum = month.reduce((all, { cleaned }) => all + cleaned, 0)
  return (
    <div className={styles.month}>
      <Row gap="m" justify="between">
        <Text as="h3" tone="quiet">
          {t('month-by-day', { month: monthName(first.getTime()) })}
        </Text>
        <Text as="span" tone="quiet">
          {area(sum).text}
        </Text>
      </Row>
      <LaneColumns
        values={values}
        width={WIDTH}
        height={HEIGHT}
        present={month.length - 1}
        label={t('month-by-day', { month: monthName(first.getTime()) })}
        ticks={Object.fromEntries(LABELLED.map((day) => [day - 1, String(day)]))}
        say={(value, day) => `${shortDay(first.getTime() + day * 86_400_000)} ${area(value).text}`}
      />
    </div>
  )
}
