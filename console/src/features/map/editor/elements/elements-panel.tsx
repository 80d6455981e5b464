/** All elements beside the canvas, by their kind: chosen, moved (Alt and arrows), deleted and hidden by keyboard too. */
import { IconAlertTriangleFilled, IconChevronRight, IconEye, IconEyeOff } from '@tabler/icons-react'
import { Button } from 'antd'
import { Fragment, type KeyboardEvent, memo, useState } from 'react'
import {
  DRAFT,
  isPrivate,
  type MapDocument,
  type Mark,
  type MarkKind,
  moved,
  pointsOf,
  withMark,
} from '@/canvas/document/document'
import { type Element, elements } from '@/canvas/document/elements'
import { sayHours } from '@/canvas/document/hours'
import { hoursOf } from '@/canvas/document/timed'
import { beyond, boxOf } from '@/canvas/geometry/geometry'
import type { MapView } from '@/canvas/view'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import styles from '../editor.module.css'
import { FLAG_WORD } from '../tool-rail'
import { LanesRow } from './lanes-row'
import type { Problem } from './problems'

const GROUPS = [
  { id: 'zones', kinds: ['forbiddenZone'], label: 'no-go-zone' },
  { id: 'walls', kinds: ['virtualWall'], label: 'virtual-wall' },
  { id: 'flags', kinds: ['charging', 'elevator', 'other', 'stop'], label: 'map-point' },
  { id: 'areas', kinds: ['freeArea'], label: 'tool-area' },
  { id: 'erasers', kinds: ['eraser'], label: 'eraser' },
] as const satisfies readonly { id: string; kinds: readonly MarkKind[]; label: string }[]

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ...{ ArrowLeft: [-1, 0], ArrowRight: [1, 0] },
  ...{ ArrowUp: [0, 1], ArrowDown: [0, -1] },
}
const FINE = 0.1 // m a step; with Shift ten times as far

interface Props {
  view: MapView | undefined
  map: MapDocument
  selection: readonly string[]
  wrong: ReadonlyMap<string, Problem>
  locked: boolean
}

export const ElementsPanel = memo(({ view, map, selection, wrong, locked }: Props) => {
  const { t } = useTranslation('map')
  const { unit, area, extent } = useFormats()
  const [closed, setClosed] = useState<readonly string[]>([])
  const [hidden, setHidden] = useState<ReadonlySet<MarkKind>>(new Set())
  const all = elements(map)
  const byId = new Map(map.marks.map((mark) => [mark.id, mark]))

  const measure = (mark: Mark, element: Element) => {
    const hours = hoursOf(mark)
    const facts = [
      hours && t('robot:hours-closed', { hours: sayHours(hours) }),
      isPrivate(mark) && t('robot:no-picture'),
    ]
    return facts.filter(Boolean).join(' · ') || sized(mark, element)
  }
  const sized = (mark: Mark, { m2, metres }: Element) => {
    if ('at' in mark) return t(FLAG_WORD[mark.kind])
    if (mark.kind === 'eraser') return t('wide', { width: unit(mark.width ?? 0, 'metre', 1) })
    if (metres !== undefined) return unit(metres, 'metre', 1)
    const { left, right, top, bottom } = boxOf(mark.points)
    return mark.points.length === 4 ? extent(right - left, top - bottom) : area(m2 ?? 0).text
  }
  const onKey = (event: KeyboardEvent, mark: Mark) => {
    if (!view || locked) return
    if (event.key === 'Delete' || event.key === 'Backspace') view.remove(mark.id)
    const step = event.altKey ? STEPS[event.key] : undefined
    if (!step) return
    event.preventDefault()
    const far = event.shiftKey ? FINE * 10 : FINE
    const target = moved(mark, step[0] * far, step[1] * far)
    if (beyond(pointsOf(target), map.frame).length === 0) view.editor.commit(withMark(view.editor.map, target))
  }
  const showing = t('show-elements')
  const hide = (kinds: readonly MarkKind[], hid: boolean) => {
    const rest = [...hidden].filter((kind) => !kinds.includes(kind))
    const now = new Set(hid ? [...rest, ...kinds] : rest)
    setHidden(now)
    view?.setLayers({ hidden: now })
  }
  return (
    <Row as="section" stack grow aria-label={t('elements')}>
      <Row as="header" gap="m" align="center" pad="m l" rule="below">
        <h2>{t('elements')}</h2>
        <Text as="span" size="small" tone="soft" end>
          {wrong.size > 0
            ? t('elements-refused', { count: map.marks.length, refused: wrong.size })
            : t('elements-count', { count: map.marks.length })}
        </Text>
      </Row>
      <Row stack grow className={styles.list}>
        {map.marks.length === 0 && (
          <Text size="small" tone="soft" pad="l">
            {t('no-elements')}
          </Text>
        )}
        {GROUPS.map(({ id, kinds, label }) => {
          const these = all.filter((element) => kinds.some((kind) => kind === element.kind))
          if (these.length === 0) return null
          const open = !closed.includes(id)
          const hid = kinds.every((kind) => hidden.has(kind))
          return (
            <Fragment key={id}>
              <Row gap="m" align="center" pad="xxs l" rule="below" className={styles.heading}>
                <Row
                  as="button"
                  type="button"
                  gap="s"
                  align="center"
                  grow
                  strong
                  aria-expanded={open}
                  onClick={() => setClosed(open ? [...closed, id] : closed.filter((group) => group !== id))}
                >
                  <IconChevronRight size={13} data-flip aria-hidden="true" />
                  {t(label)}
                  <Text as="span" tone="soft" strong={false}>
                    {these.length}
                  </Text>
                </Row>
                <Button
                  type="text"
                  size="small"
                  icon={hid ? <IconEyeOff size={15} /> : <IconEye size={15} />}
                  aria-label={`${showing}: ${t(label)}`}
                  aria-pressed={!hid}
                  onClick={() => hide(kinds, !hid)}
                />
              </Row>
              {open && (
                <ul>
                  {these.map((element) => {
                    const mark = byId.get(element.id)
                    if (!mark) return null
                    const problem = wrong.get(element.id)
                    return (
                      <li key={element.id}>
                        <Row
                          as="button"
                          type="button"
                          gap="m"
                          align="center"
                          pad="xs l"
                          tone={problem && 'help'}
                          aria-pressed={selection.includes(element.id)}
                          data-wrong={problem !== undefined || undefined}
                          title={problem && t(problem)}
                          onClick={({ shiftKey }) =>
                            shiftKey ? view?.editor.choose([...selection, element.id]) : view?.goTo(element.id)
                          }
                          onKeyDown={(event) => onKey(event, mark)}
                        >
                          {problem && <IconAlertTriangleFilled size={14} aria-label={t(problem)} />}
                          <Text as="bdi" cut>
                            {element.name || t(element.id === DRAFT ? 'new-element' : 'unnamed')}
                          </Text>
                          <Text as="small" end>
                            {measure(mark, element)}
                          </Text>
                        </Row>
                      </li>
                    )
                  })}
                </ul>
              )}
            </Fragment>
          )
        })}
      </Row>
      {map.laneGraph && <LanesRow graph={map.laneGraph} view={view} />}
    </Row>
  )
})
