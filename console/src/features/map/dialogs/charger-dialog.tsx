/** Places the charging dock on a robot's map: press where it stands, drag to where it looks. The robot keeps it. */
import { useQueryClient } from '@tanstack/react-query'
import { Button, Modal } from 'antd'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isFlag, type MapDocument } from '@/canvas/document/document'
import { flag } from '@/canvas/tools/flag'
import type { Editor } from '@/canvas/tools/tool'
import { relayCall } from '@/shared/relay/relay'
import { notice } from '@/shared/ui/notice'
import { Nothing } from '@/shared/ui/query-view'
import { useDocument } from '@/widgets/map/floor'
import { MapStage } from '@/widgets/map/map-stage'
import { useRefusalText } from '@/widgets/refusal-text'
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
  const why = useRefusalText()
  const queries = useQueryClient()
  const floor = useDocument(map, false)
  const [drawn, setDrawn] = useState<MapDocument>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const tool = useCallback((editor: Editor) => flag(editor, { kind: 'charging', name: () => CHARGER }), [])
  const charger = drawn && placed(drawn)

  const save = async () => {
    if (!charger || map.deviceId === null) return
    setBusy(true)
    setProblem('')
    const { x, y, yaw } = charger.at
    try {
      await relayCall(map.deviceId, 'map_flag_add', { map_name: map.name, name: CHARGER, type: 'charging', x, y, yaw })
      await queries.invalidateQueries({ queryKey: ['map'] })
      notice('success', t('charger-placed', { name: map.name }))
      onClose()
    } catch (error) {
      setProblem(why(error) ?? '')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      width={920}
      title={t('place-charger-on', { name: map.name })}
      onCancel={onClose}
      footer={[
        <span key="how" className={styles.how}>
          {t('place-charger-how')}
        </span>,
        <Button key="back" onClick={onClose}>
          {t('back')}
        </Button>,
        <Button key="save" type="primary" disabled={!charger} loading={busy} onClick={save}>
          {t('save-charger')}
        </Button>,
      ]}
    >
      <div className={styles.stage}>
        {floor.missing ? (
          <Nothing why={t('no-picture')} />
        ) : (
          <MapStage
            label={t('map-named', { name: map.name })}
            document={drawn ?? floor.document}
            tool={tool}
            onCommit={setDrawn}
          />
        )}
      </div>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </Modal>
  )
}
