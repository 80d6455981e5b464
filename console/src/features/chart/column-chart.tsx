/**
 * Columns over time, which runs from left to right in every language. Arrow keys go from column to column, and each is read
 * out; all values stand in the table beside it.
 */
import { IconPhotoDown } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { primary } from '@/shared/theme/palette'
import { useColour, useMode } from '@/shared/theme/scheme'
import { colourOf } from '@/shared/theme/tokens'
import { Row, Text } from '@/shared/ui/layout'
import { SaveButton } from '@/widgets/list/tools/save-button'
import styles from './chart.module.css'
import type { Columns, Drawing } from './draw'
import { pngOf } from './picture'

interface Props extends Omit<Columns, 'colours'> {
  /** What the columns are. */
  label: string
  /** Of the picture that is saved, without its ending. */
  file: string
}

/** Where the keys lead to from a column. */
const STEPS: Readonly<Record<string, (place: number, last: number) => number>> = {
  ArrowRight: (place, last) => Math.min(place + 1, last),
  ArrowLeft: (place) => Math.max(place - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}

export function ColumnChart({ label, file, names, ticks, title, values, line, most, write }: Props) {
  const { t } = useTranslation('chart')
  const place = useRef<HTMLDivElement>(null)
  const [drawing, setDrawing] = useState<Drawing>()
  const [at, setAt] = useState(-1)
  const [mode, colour] = [useMode(), useColour()]
  useEffect(() => {
    const element = place.current
    let drawn: Drawing | undefined
    let over = false
    const resized = new ResizeObserver(() => drawn?.fit())
    void import('./draw').then(({ drawIn }) => {
      if (over || !element) return
      drawn = drawIn(element)
      resized.observe(element)
      setDrawing(drawn)
    })
    return () => {
      over = true
      resized.disconnect()
      drawn?.end()
    }
  }, [])
  useEffect(() => {
    const colours = {
      fill: primary(colour, mode).main,
      gap: colourOf('surface', mode),
      line: colourOf('border', mode),
      text: colourOf('text-3', mode),
    }
    drawing?.show({ names, ticks, ...(title !== undefined && { title }), values, line, most, write, colours })
  }, [drawing, names, ticks, title, values, line, most, write, mode, colour])
  const last = names.length - 1
  const turn = (event: KeyboardEvent) => {
    const next = STEPS[event.key]?.(at, last)
    if (next === undefined) return
    event.preventDefault()
    setAt(next)
    drawing?.point(next)
  }
  const here = Math.max(at, 0)
  const words = [names[here], textOf(values[at], write) ?? t('nothing')].join(': ')
  const aim = textOf(line?.values[here], write)
  return (
    <Row stack gap="m">
      <div
        ref={place}
        className={styles.chart}
        dir="ltr"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={here}
        aria-valuetext={line && aim ? `${words}; ${line.name}: ${aim}` : words}
        onKeyDown={turn}
        onBlur={() => drawing?.point(-1)}
      />
      <Row wrap gap="m" justify={line ? 'between' : 'end'} align="center">
        {line && (
          <Text size="small" tone="soft">
            {t('target-line')}
          </Text>
        )}
        <SaveButton
          file={`${file}.png`}
          icon={IconPhotoDown}
          disabled={!drawing}
          fetch={() => pngOf(drawing?.picture() ?? '', colourOf('surface', mode))}
        >
          {t('save-picture')}
        </SaveButton>
      </Row>
    </Row>
  )
}

const textOf = (value: number | null | undefined, write: (value: number) => string) =>
  value == null ? undefined : write(value)
