/** What stands on a map, as a list: a canvas says nothing to screen readers, and a name is found sooner than a place. */

import { IconListSearch } from '@tabler/icons-react'
import { Button, Dropdown, type MenuProps } from 'antd'
import type { MapDocument, MarkKind } from '@/canvas/document/document'
import { type Element, elements } from '@/canvas/document/elements'
import type { MapView } from '@/canvas/view'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { keysOf } from '@/shared/keys'
import { Row } from '@/shared/ui/layout'
import styles from './map-elements.module.css'

const KIND = {
  freeArea: 'free-area',
  taskArea: 'area-zone',
  taskPath: 'task-path',
  startPoint: 'start-point',
  forbiddenZone: 'no-go-zone',
  virtualWall: 'virtual-wall',
  eraser: 'eraser',
  charging: 'charging-dock',
  stop: 'stop-point',
  elevator: 'elevator',
  other: 'map-point',
} as const satisfies Record<MarkKind, string>
const KINDS = keysOf(KIND)

export function MapElements({ view, document }: { view: MapView; document: MapDocument }) {
  const { t } = useTranslation('robot')
  const { area, unit } = useFormats()
  const all = elements(document)
  const measure = ({ m2, metres }: Element) =>
    m2 !== undefined ? area(m2).text : metres !== undefined ? unit(metres, 'metre', 1) : ''
  const line = (element: Element) => (
    <Row as="span" gap="xxl" align="baseline" justify="between" className={styles.line}>
      <bdi>{element.name || t(KIND[element.kind])}</bdi>
      <small>{measure(element)}</small>
    </Row>
  )
  const items: MenuProps['items'] = KINDS.flatMap((kind) => {
    const these = all.filter((element) => element.kind === kind)
    if (these.length === 0) return []
    const children = these.map((element) => ({ key: element.id, label: line(element) }))
    return [{ type: 'group' as const, key: kind, label: t(KIND[kind]), children }]
  })
  const show = (id: string) => {
    const element = all.find((each) => each.id === id)
    if (!element) return
    view.select(id)
    view.centreOn(element.at)
  }
  return (
    <Dropdown
      autoFocus
      trigger={['click']}
      placement="bottomLeft"
      overlayClassName={styles.list ?? ''}
      menu={{ items, onClick: ({ key }) => show(key) }}
      disabled={all.length === 0}
    >
      <Button
        type="text"
        icon={<IconListSearch size={17} />}
        title={t('map-elements')}
        aria-label={t('map-elements')}
        aria-haspopup="menu"
      />
    </Dropdown>
  )
}
