/** How often each place of a floor was cleaned in a range of days, or how long ago: as a picture, in a sentence and a table. */
import { useQuery } from '@tanstack/react-query'
import { Button, InputNumber } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { MapDocument } from '@/canvas/document/document'
import { fromMask } from '@/canvas/document/wire'
import { readPalette } from '@/canvas/palette'
import type { Raster } from '@/canvas/raster/raster'
import { renderStill } from '@/canvas/tile'
import { Segment, Segments } from '@/shared/controls/segments'
import { useFormats } from '@/shared/i18n/format'
import { type TextKey, useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { LIMITS } from '@/shared/rpc/limits'
import { setPreference, usePreference } from '@/shared/theme/preferences'
import { useMode } from '@/shared/theme/scheme'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { QueryView } from '@/shared/ui/query-view'
import { useDocument } from '@/widgets/map/floor'
import type { MapRow } from '../row'
import styles from './heat.module.css'
import { type Heat, type Kind, reached, type Step, sharesOf, sumOf } from './steps'

const RANGES = ['week', 'month', 'threeMonths', 'year'] as const
type Range = (typeof RANGES)[number]
const WORDS: Readonly<Record<Range, TextKey<'map'>>> = {
  week: 'last-week',
  month: 'last-month',
  threeMonths: 'last-three-months',
  year: 'last-year',
}
const KINDS = ['times', 'daysAgo', 'dose'] as const
const TITLES: Readonly<Record<Kind, TextKey<'map'>>> = {
  times: 'heat-times',
  daysAgo: 'heat-days-ago',
  dose: 'heat-dose',
}
const USUAL_TARGET = 20 // ml/m²
const LIMITS_OF_TARGET = LIMITS['/taskReport/heat'].target

interface Props {
  map: MapRow
  onClose(): void
}

export function HeatDialog({ map, onClose }: Props) {
  const { t } = useTranslation('map')
  const [range, setRange] = useState<Range>('month')
  const [kind, setKind] = useState<Kind>('times')
  const target = usePreference('heat-target', USUAL_TARGET)
  const payload = { mapId: map.mapId, range, ...(kind === 'dose' && { target }) }
  const query = useCall('/taskReport/heat', payload, { keep: true })
  return (
    <Modal
      open
      width={860}
      title={t('heat-of', { name: map.name })}
      footer={<Button onClick={onClose}>{t('close')}</Button>}
      onCancel={onClose}
    >
      <Row wrap gap="m" lines="s" below="m">
        <Segments label={t('heat-shows')}>
          {KINDS.map((each) => (
            <Segment key={each} on={each === kind} onChoose={() => setKind(each)}>
              {t(TITLES[each])}
            </Segment>
          ))}
        </Segments>
        <Segments label={t('heat-range')}>
          {RANGES.map((each) => (
            <Segment key={each} on={each === range} onChoose={() => setRange(each)}>
              {t(WORDS[each])}
            </Segment>
          ))}
        </Segments>
        {kind === 'dose' && (
          <Row gap="s" align="center">
            <Text as="span" size="small" tone="quiet">
              {t('heat-target')}
            </Text>
            <InputNumber
              aria-label={t('heat-target')}
              min={LIMITS_OF_TARGET.minimum}
              max={LIMITS_OF_TARGET.maximum}
              changeOnBlur
              value={target}
              onChange={(value) => setPreference('heat-target', value ?? USUAL_TARGET)}
            />
          </Row>
        )}
      </Row>
      <QueryView query={query}>{(heat) => <HeatView map={map} heat={heat} kind={kind} />}</QueryView>
    </Modal>
  )
}

function HeatView({ map, heat, kind }: { map: MapRow; heat: Heat; kind: Kind }) {
  const { t } = useTranslation('map')
  const { number, percent, days } = useFormats()
  const floor = useDocument(map, false)
  const steps = heat[kind]
  const noon = (day: string) => Date.parse(`${day}T12:00:00`)
  const span = days(noon(heat.startDate), noon(heat.endDate))
  const inShort = () => {
    if (heat.runs === 0) return t('heat-none', { days: span })
    if (kind === 'dose') return t('heat-dose-in-short', { days: span, share: percent(reached(heat), 1) })
    const share = percent(heat.area > 0 ? sumOf(heat.times.slice(1)) / heat.area : 0, 1)
    return t('heat-in-short', { days: span, runs: number(heat.runs), share })
  }
  return (
    <Row stack gap="m">
      <div className={styles.picture}>
        {floor.document && <HeatCanvas document={floor.document} heat={heat} kind={kind} label={t(TITLES[kind])} />}
      </div>
      <Text>{inShort()}</Text>
      <Legend steps={steps} kind={kind} whole={heat.area} />
      {kind === 'dose' && (
        <Text size="small" tone="soft">
          {t('heat-dose-how')}
        </Text>
      )}
      {(heat.leftOut > 0 || heat.isCut) && (
        <Text size="small" tone="soft">
          {heat.leftOut > 0 && t('heat-left-out', { runs: number(heat.leftOut) })}{' '}
          {heat.isCut && t('heat-cut', { runs: number(heat.runs) })}
        </Text>
      )}
    </Row>
  )
}

/** What each step means, with its part of the floor: the table that the picture is of. */
function Legend({ steps, kind, whole }: { steps: readonly Step[]; kind: Kind; whole: number }) {
  const { t } = useTranslation('map')
  const { area, percent, number } = useFormats()
  const shares = sharesOf(kind, steps)
  const word = ({ least, most }: Step) => {
    if (kind === 'dose') {
      const part = { least: percent((least ?? 0) / 100), most: percent((most ?? 0) / 100) }
      if (least === 0) return t('heat-dose-none')
      return most === null ? t('heat-dose-from', part) : t('heat-dose-between', part)
    }
    if (least === null || (kind === 'times' && most === 0)) return t('heat-never')
    const part = { least: number(least), most: number(most ?? 0) }
    if (kind === 'times')
      return most === null
        ? t('heat-times-from', part)
        : least === most
          ? t('heat-once')
          : t('heat-times-between', part)
    return most === null
      ? t('heat-days-from', part)
      : least === 0
        ? t('heat-days-newest')
        : t('heat-days-between', part)
  }
  return (
    <table className={styles.legend}>
      <thead>
        <tr>
          <th scope="col">{t(TITLES[kind])}</th>
          <th scope="col">{t('heat-area')}</th>
          <th scope="col">{t('heat-share')}</th>
        </tr>
      </thead>
      <tbody>
        {steps.map((step, place) => (
          <tr key={`${step.least}`}>
            <th scope="row">
              <i
                aria-hidden="true"
                data-kind={shares[place] ? kind : 'never'}
                style={{ opacity: shares[place] || 1 }}
              />
              {word(step)}
            </th>
            <td>{area(step.area).text}</td>
            <td>{percent(whole > 0 ? step.area / whole : 0, 1)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface CanvasProps {
  document: MapDocument
  heat: Heat
  kind: Kind
  label: string
}

function HeatCanvas({ document, heat, kind, label }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useMode()
  const { width, height } = document.frame
  const steps = heat[kind]
  const rasters = useQuery({
    queryKey: ['taskReport', 'heat-cells', document.id, heat.revision, kind, steps.map(({ cells }) => cells.data)],
    queryFn: () => Promise.all(steps.map(({ cells }) => fromMask(cells, width, height))),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const painted = useMemo(() => paint(kind, steps, rasters.data), [kind, steps, rasters.data])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes what the palette reads
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const draw = () =>
      renderStill(element, { document, palette: readPalette(element), ...painted, lanes: false, furniture: true })
    const resized = new ResizeObserver(draw)
    resized.observe(element)
    return () => resized.disconnect()
  }, [document, painted, theme])
  return <canvas ref={canvas} className={styles.canvas} role="img" aria-label={label} />
}

/** What was not cleaned is hatched: it differs from the rest without colours, too. */
function paint(kind: Kind, steps: readonly Step[], rasters: readonly Raster[] | undefined) {
  if (!rasters) return {}
  const shares = sharesOf(kind, steps)
  const tone = kind === 'daysAgo' ? ('miss' as const) : ('drive' as const)
  const shades = rasters.flatMap((cells, place) => {
    const share = shares[place] ?? 0
    return share > 0 ? [{ cells, share, tone }] : []
  })
  const never = rasters[shares.indexOf(0)]
  return { shades, ...(never && { unreachable: never }) }
}
