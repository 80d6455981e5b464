/** Rooms of the floor, cleaned now: chosen on the map or in the list, without drawing anything. */
import { IconPlayerPlay } from '@tabler/icons-react'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Row } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { useCleaning } from '@/widgets/task/clean/cleaning'
import type { RoomChoice } from '@/widgets/task/clean/room-choice'
import { RoomsForm } from '@/widgets/task/clean/rooms-form'
import type { ControlRow } from '../control-row'
import { CommandButton, useScope } from '../scope'

interface Props {
  row: ControlRow
  choice: RoomChoice
  /** Whether the robot can clean them. */
  carpets: boolean
}

export function CleanRooms({ row, choice, carpets }: Props) {
  const { t } = useTranslation('control')
  const { deviceId, inControl, takeControl, online, actions } = useScope()
  const [starting, setStarting] = useState(false)
  const { mapId, mapName, run } = row
  const cleaning = useCleaning({ deviceId, mapId, mapName, run, online }, choice)
  const start = async () => {
    setStarting(true)
    const started = (inControl || (await takeControl?.())) && (await cleaning.start(actions.send))
    setStarting(false)
    if (started) choice.close()
  }
  return (
    <Panel title={t('robot:clean-rooms')}>
      <Row stack gap="m" pad="m panel">
        <RoomsForm cleaning={cleaning} carpets={carpets} />
        <Row gap="m" justify="end">
          <Button onClick={choice.close}>{t('cancel')}</Button>
          <CommandButton
            command="task_start"
            locked={!takeControl}
            type="primary"
            icon={<IconPlayerPlay size={16} />}
            loading={starting}
            label={t(inControl || !takeControl ? 'clean-now' : 'take-and-clean')}
            blocked={cleaning.blocked}
            onClick={start}
          />
        </Row>
      </Row>
    </Panel>
  )
}
