/** Map sync: to which robots a map goes, and how far each of them is. */

import { Checkbox } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useCall, useSend } from '@/shared/rpc/hooks'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { QueryView } from '@/shared/ui/query-view'
import { Warning } from '@/widgets/form/field'
import type { MapRow } from '../row'
import { SyncProgress } from './sync-progress'
import { SyncTargets } from './sync-targets'

export function SyncDialog({ map, onClose }: { map: MapRow; onClose: () => void }) {
  const { t } = useTranslation('sync')
  const [ticked, setTicked] = useState<readonly number[]>([])
  const [replace, setReplace] = useState(false)
  const robots = useCall('/map/syncTargets', { mapId: map.mapId })
  const send = useSend('/map/syncMap', { action: t('sync') })
  const list = robots.data?.list ?? []
  const outdated = list.filter((robot) => robot.there !== 'same' && ticked.includes(robot.deviceId))
  const chosen = outdated.map((robot) => robot.deviceId)
  const changed = outdated.some((robot) => robot.there === 'newer')
  const start = async () => {
    await send.mutateAsync({ mapId: map.mapId, deviceIds: chosen, replace: changed && replace })
    setTicked([])
    setReplace(false)
  }
  return (
    <Modal
      open
      width={680}
      title={t('title', { name: map.name })}
      okText={chosen.length > 0 ? t('send', { count: chosen.length }) : t('sync')}
      cancelText={t('close')}
      okButtonProps={{ disabled: chosen.length === 0, loading: send.isPending }}
      onOk={() => start().catch(() => {})} // said by the hook
      onCancel={onClose}
    >
      <Text size="small" tone="soft" below="l">
        {t('how')}
      </Text>
      <QueryView query={robots} isEmpty={(answer) => answer.list.length === 0} empty={<p>{t('no-robots')}</p>}>
        {(answer) => <SyncTargets robots={answer.list} chosen={chosen} onChange={setTicked} />}
      </QueryView>
      {changed && (
        <Warning>
          <Checkbox checked={replace} onChange={(event) => setReplace(event.target.checked)}>
            {t('replace-own')}
          </Checkbox>
        </Warning>
      )}
      <SyncProgress mapId={map.mapId} />
    </Modal>
  )
}
