/** Figures of the chosen element, to be typed where a hand is too coarse. */
import { IconTrash } from '@tabler/icons-react'
import { Button, Checkbox, Input, InputNumber, Select } from 'antd'
import { useEffect, useState } from 'react'
import {
  isFlag,
  isLine,
  isPrivate,
  type MapDocument,
  type Mark,
  pointsOf,
  withMark,
  withPrivacy,
} from '@/canvas/document/document'
import { withHours } from '@/canvas/document/hours'
import { beyond, boxOf, type Point } from '@/canvas/geometry/geometry'
import type { MapView } from '@/canvas/view'
import { useTranslation } from '@/shared/i18n/text'
import { Columns, Row, Text } from '@/shared/ui/layout'
import { Field } from '@/widgets/form/field'
import { FLAG_WORD, FLAGS } from '../tool-rail'
import { fitted } from '../tools'
import { HoursField } from './hours-field'
import type { Problem } from './problems'

const LONGEST = 64
const WIDEST = 5 // m, of an eraser

interface Props {
  view: MapView
  map: MapDocument
  mark: Mark
  problem: Problem | undefined
  locked: boolean
}

/** The shape stretched from its lower left corner to another width and height. */
function stretched(points: readonly Point[], width: number, height: number): readonly Point[] {
  const { left, right, top, bottom } = boxOf(points)
  const across = right > left ? width / (right - left) : 1
  const up = top > bottom ? height / (top - bottom) : 1
  return points.map(({ x, y }) => ({ x: left + (x - left) * across, y: bottom + (y - bottom) * up }))
}

export function ElementForm({ view, map, mark, problem, locked }: Props) {
  const { t } = useTranslation('map')
  const [name, setName] = useState(mark.name)
  useEffect(() => setName(mark.name), [mark.name])
  const put = (next: Mark) => view.editor.commit(withMark(view.editor.map, next))
  const within = (next: Mark) => {
    if (beyond(pointsOf(next), map.frame).length === 0) put(next)
  }
  const figure = (label: string, value: number, set: (value: number) => void, most?: number) => (
    <Field label={label}>
      <InputNumber
        size="small"
        style={{ width: '100%' }}
        disabled={locked}
        value={Number(value.toFixed(2))}
        step={0.1}
        {...(most !== undefined && { min: 0.1, max: most })}
        onChange={(typed) => typed !== null && Number.isFinite(typed) && set(typed)}
      />
    </Field>
  )
  const box = isFlag(mark) ? undefined : boxOf(mark.points)
  return (
    <Columns gap="m" lines="none" pad="m l" rule="above">
      <Row stack data-wide>
        <Field label={t('name')}>
          <Input
            size="small"
            disabled={locked}
            value={name}
            maxLength={LONGEST}
            status={problem === 'problem-name' || problem === 'problem-twice' ? 'error' : ''}
            onChange={(event) => setName(event.target.value)}
            onBlur={() => name !== mark.name && put({ ...mark, name: name.trim() })}
            onPressEnter={() => name !== mark.name && put({ ...mark, name: name.trim() })}
          />
        </Field>
      </Row>
      <Row stack data-wide>
        <Field label={t('kind')}>
          {isFlag(mark) ? (
            <Select
              size="small"
              disabled={locked || mark.kind === 'elevator'}
              value={mark.kind}
              onChange={(kind) => put({ ...mark, kind })}
              options={[...FLAGS, ...(mark.kind === 'elevator' ? (['elevator'] as const) : [])].map((value) => ({
                value,
                label: t(FLAG_WORD[value]),
              }))}
            />
          ) : isLine(mark) ? (
            <Input size="small" readOnly value={t(mark.kind === 'eraser' ? 'eraser' : 'virtual-wall')} />
          ) : (
            <Select
              size="small"
              disabled={locked}
              value={mark.kind}
              onChange={(kind) => put({ ...mark, kind })}
              options={[
                { value: 'forbiddenZone', label: t('no-go-zone') },
                { value: 'freeArea', label: t('tool-area') },
              ]}
            />
          )}
        </Field>
      </Row>
      {isFlag(mark) && (
        <>
          {figure('x (m)', mark.at.x, (x) => within({ ...mark, at: { ...mark.at, x } }))}
          {figure('y (m)', mark.at.y, (y) => within({ ...mark, at: { ...mark.at, y } }))}
          {figure(t('heading'), (mark.at.yaw * 180) / Math.PI, (degrees) =>
            put({ ...mark, at: { ...mark.at, yaw: (degrees * Math.PI) / 180 } }),
          )}
        </>
      )}
      {!isFlag(mark) && !isLine(mark) && box && (
        <>
          {figure(
            t('width'),
            box.right - box.left,
            (width) => within({ ...mark, points: stretched(mark.points, width, box.top - box.bottom) }),
            1000,
          )}
          {figure(
            t('height'),
            box.top - box.bottom,
            (height) => within({ ...mark, points: stretched(mark.points, box.right - box.left, height) }),
            1000,
          )}
        </>
      )}
      {!isFlag(mark) && !isLine(mark) && (
        <HoursField
          label={t(mark.kind === 'forbiddenZone' ? 'hours-zone-on' : 'hours-on')}
          how={t(mark.kind === 'forbiddenZone' ? 'hours-zone-how' : 'hours-area-how')}
          value={mark.hours}
          locked={locked}
          onChange={(hours) => put(withHours(mark, hours))}
        />
      )}
      {!isFlag(mark) && !isLine(mark) && (
        <Text as="fieldset" above="m" data-wide aria-label={t('private-on')}>
          <Checkbox
            disabled={locked}
            checked={isPrivate(mark)}
            onChange={(event) => put(withPrivacy(mark, event.target.checked))}
          >
            {t('private-on')}
          </Checkbox>
          <Text size="small" tone="soft">
            {t('private-how')}
          </Text>
        </Text>
      )}
      {mark.kind === 'eraser' && figure(t('width'), mark.width ?? 0, (width) => put({ ...mark, width }), WIDEST)}
      {problem && (
        <Text tone="help" above="m" data-wide role="alert">
          {t(problem)}
        </Text>
      )}
      <Row wrap gap="s" above="m" data-wide>
        <Button size="small" icon={<IconTrash size={15} />} disabled={locked} onClick={() => view.remove(mark.id)}>
          {t('delete')}
        </Button>
        {problem === 'problem-edge' && (
          <Button size="small" type="primary" disabled={locked} onClick={() => put(fitted(mark, map))}>
            {t('fit-to-map')} <kbd>F</kbd>
          </Button>
        )}
      </Row>
    </Columns>
  )
}
