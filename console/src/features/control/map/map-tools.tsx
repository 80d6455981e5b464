/** The floating tools of the map: the view's own actions, with their keys. */
import { IconCrosshair, IconMaximize, IconMinus, IconPlus, IconRulerMeasure, IconStack2 } from '@tabler/icons-react'
import { Button, Checkbox, Popover, Tooltip } from 'antd'
import { useState } from 'react'
import type { MapDocument } from '@/canvas/document/document'
import type { MapView } from '@/canvas/view'
import { useTranslation } from '@/shared/i18n/text'
import { Row } from '@/shared/ui/layout'
import { MapElements } from '@/widgets/map/map-elements'
import styles from './map.module.css'

const SWITCHED = ['cleaned', 'lanes', 'route', 'marks', 'flags', 'lidar', 'robots', 'labels'] as const
const WITH_LANES = [...SWITCHED, 'laneGraph'] as const // of the building, where the map has some

interface Props {
  view: MapView
  following: boolean
  document: MapDocument | undefined
  measuring: boolean
  onMeasure(on: boolean): void
}

export function MapTools({ view, following, document, measuring, onMeasure }: Props) {
  const { t } = useTranslation('control')
  const [layers, setLayers] = useState(view.layers)
  const button = (label: string, icon: React.ReactNode, act: () => void, on?: boolean) => (
    <Tooltip title={label} placement="right">
      <Button
        type="text"
        icon={icon}
        aria-label={label}
        {...(on !== undefined && { 'aria-pressed': on })}
        onClick={act}
      />
    </Tooltip>
  )
  return (
    <Row
      gap="xxs"
      pad="xs"
      surface
      className={styles.tools}
      role="toolbar"
      aria-label={t('map-tools')}
      aria-orientation="vertical"
    >
      {button(t('zoom-in'), <IconPlus size={17} />, () => view.zoomIn())}
      {button(t('zoom-out'), <IconMinus size={17} />, () => view.zoomOut())}
      {button(t('zoom-fit'), <IconMaximize size={17} />, () => view.fit())}
      {button(t('follow-robot'), <IconCrosshair size={17} />, () => view.setFollow(!following), following)}
      <Popover
        trigger="click"
        placement="rightTop"
        getPopupContainer={(button) => button.parentElement ?? globalThis.document.body} // Tab goes on into it
        content={
          <Row stack gap="s">
            {(document?.laneGraph ? WITH_LANES : SWITCHED).map((layer) => (
              <Checkbox
                key={layer}
                checked={layers[layer]}
                onChange={({ target }) => {
                  view.setLayers({ [layer]: target.checked })
                  setLayers({ ...layers, [layer]: target.checked })
                }}
              >
                {t(`layer-${layer}`)}
              </Checkbox>
            ))}
          </Row>
        }
      >
        <Button type="text" icon={<IconStack2 size={17} />} title={t('layers')} aria-label={t('layers')} />
      </Popover>
      {button(t('measure'), <IconRulerMeasure size={17} />, () => onMeasure(!measuring), measuring)}
      {document && <MapElements view={view} document={document} />}
    </Row>
  )
}
