/** One value over the time of a recording, which runs from left to right in every language; the line stands at a second. */
import { useFormats } from '@/shared/i18n/format'
import { Row, Text } from '@/shared/ui/layout'
import styles from './player.module.css'
import type { Series } from './reader'

const WIDTH = 1000
const HEIGHT = 100

interface Props {
  name: string
  series: Series
  /** s */
  length: number
  second: number
  onSecond(second: number): void
}

export function Plot({ name, series: { seconds, values }, length, second, onSecond }: Props) {
  const { number } = useFormats()
  const [least, most] = boundsOf(values)
  const x = (at: number) => (at / length) * WIDTH
  const y = (value: number) => HEIGHT - ((value - least) / (most - least || 1)) * HEIGHT
  const points = values.map((value, place) => `${x(seconds[place] ?? 0).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
  const place = seconds.findLastIndex((at) => at <= second)
  const value = values[place]
  return (
    <figure className={styles.plot}>
      <Row as="span" justify="between" gap="m">
        <bdi dir="ltr">{name}</bdi>
        <Text as="span" tone="soft" size="small">
          {number(least, 3)} – {number(most, 3)}
          {value !== undefined && <b> · {number(value, 3)}</b>}
        </Text>
      </Row>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        onClick={(event) => {
          const { left, width } = event.currentTarget.getBoundingClientRect()
          onSecond(((event.clientX - left) / width) * length)
        }}
      >
        <polyline points={points} vectorEffect="non-scaling-stroke" />
        <line x1={x(second)} x2={x(second)} y1={0} y2={HEIGHT} vectorEffect="non-scaling-stroke" />
      </svg>
    </figure>
  )
}

/** A recording may hold more values than `Math.min` takes arguments; what is no number has no height. */
function boundsOf(values: readonly number[]): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    if (value < least) least = value
    if (value > most) most = value
  }
  return Number.isFinite(least) && Number.isFinite(most) ? [least, most] : [0, 1]
}
