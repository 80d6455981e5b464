/** Places the charging dock on a robot's map: press where it stands, drag to where it looks. The robot keeps it. */

import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useCallback, useState } from 'react'
import { isFlag, type MapDocument } from '@/canvas/document/document'
import { flag } from '@/canvas/tools/flag'
import type { Editor } from '@/canvas/tools/tool'
import { useTranslation } from '@/shared/i18n/text'
import { relayCall } from '@/shared/relay/relay'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { Nothing } from '@/shared/ui/query-view'
import { Problem } from '@/widgets/form/field'
import { useAttempt } from '@/widgets/form/use-attempt'
import { useDocument } from '@/widgets/map/floor'
import { MapStage } from '@/widgets/map/map-stage'
import styles from '../map.module.css'
import type { MapRow } from '../row'

const CHARGER = 'charger'

/** The charger that was drawn last: a map has one dock of this name. */
const placed = (map: MapDocument | undefined) => {
  const charger = map?.marks.findLast((mark) => mark.kind === 'charging')
  return charger && isFlag(charger) ? charger : undefined
}

export function ChargerDialog({ map, onClose }: { map: MapRow; onClose: () => void }) {
  const { t } = useTranslation('map')
  const queries = useQueryClient()
  const floor = useDocument(map, false)
  const [drawn, setDrawn] = useState<MapDocument>()
  const attempt = useAttempt()
  const tool = useCallback((editor: Editor) => flag(editor, { kind: 'charging', name: () => CHARGER }), [])
  const charger = drawn && placed(drawn)

  const save = async () => {
    if (!charger || map.deviceId === null) return
    const { deviceId } = map
    const { x, y, yaw } = charger.at
    const place = { map_name: map.name, name: CHARGER, type: 'charging', x, y, yaw } as const
    await attempt.run(async () => {
      await relayCall(deviceId, 'map_flag_add', place)
      await queries.invalidateQueries({ queryKey: ['map'] })
      notice('success', t('charger-placed', { name: map.name }))
      onClose()
    })
  }
  return (
    <Modal
      open
      width={920}
      title={t('place-charger-on', { name: map.name })}
      onCancel={onClose}
      footer={[
        <Text key="how" as="span" size="small" tone="soft">
          {t('place-charger-how')}
        </Text>,
        <Button key="back" onClick={onClose}>
          {t('cancel')}
        </Button>,
        <Button key="save" type="primary" disabled={!charger} loading={attempt.busy} onClick={save}>
          {t('save-charger')}
        </Button>,
      ]}
    >
      <Row surface className={styles.stage}>
        {floor.missing ? (
          <Nothing why={t('alarm-map-load')} />
        ) : (
          <MapStage
            label={t('map-named', { name: map.name })}
            document={drawn ?? floor.document}
            tool={tool}
            onCommit={setDrawn}
          />
        )}
      </Row>
      <Problem text={attempt.problem} />
    </Modal>
  )
}
