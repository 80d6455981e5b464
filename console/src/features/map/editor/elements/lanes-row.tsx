/** The lanes of the building that a map came from: what they are for, how many there are, and whether they are shown. */
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { Button } from 'antd'
import { useState } from 'react'
import type { LaneGraph } from '@/canvas/document/lane-graph'
import type { MapView } from '@/canvas/view'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'

export function LanesRow({ graph, view }: { graph: LaneGraph; view: MapView | undefined }) {
  const { t } = useTranslation('map')
  const [visible, setVisible] = useState(view?.layers.laneGraph ?? true)
  const oneWay = graph.lanes.filter(({ bidirectional, human }) => !bidirectional && !human).length
  const limited = graph.lanes.filter(({ speed }) => speed > 0).length
  return (
    <Row as="section" stack gap="xxs" pad="s l" rule="above" aria-label={t('building-lanes')}>
      <Row gap="m" align="center" strong>
        {t('building-lanes')}
        <Text as="span" tone="soft" strong={false}>
          {graph.lanes.length}
        </Text>
        <Text as="span" end>
          <Button
            type="text"
            size="small"
            icon={visible ? <IconEye size={15} /> : <IconEyeOff size={15} />}
            aria-label={`${t('show-elements')}: ${t('building-lanes')}`}
            aria-pressed={visible}
            onClick={() => {
              view?.setLayers({ laneGraph: !visible })
              setVisible(!visible)
            }}
          />
        </Text>
      </Row>
      <Text size="small" tone="soft">
        {t('building-lanes-why')}
      </Text>
      {oneWay + limited > 0 && (
        <Text size="small" tone="soft">
          {t('building-lanes-facts', { oneWay, limited })}
        </Text>
      )}
    </Row>
  )
}
