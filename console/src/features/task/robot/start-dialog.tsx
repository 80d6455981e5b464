/**
 * Starts a task or a group now. What moves the robot wants control, so it is taken here for a while if it is free; and
 * where the robot has just cleaned it warns of the wet floor.
 */

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useNow, useRobotPart } from '@/shared/live/live'
import { forgetGrant } from '@/shared/relay/relay'
import { useSend } from '@/shared/rpc/hooks'
import { Modal } from '@/shared/ui/modal'
import { Problem, Warning } from '@/widgets/form/field'
import { LinkButton } from '@/widgets/list/link-button'
import { controlPath } from '@/widgets/paths'
import { useHolder } from '@/widgets/robot/holder'
import { useWetFloor } from '@/widgets/robot/wet-floor'
import { useTell } from '../robot-link'
import type { Owner } from './owner'

const MINUTES = 10 // for which control is taken: enough to see it begin, and to go on after a pause

/** A task by its map and name, or a group, whose maps are named for the floor alone. */
export type Startable =
  | { readonly name: string; readonly map_name: string }
  | { readonly name: string; readonly maps: readonly string[] }

interface Props {
  owner: Owner
  startable: Startable
  onClose(): void
}

export function StartDialog({ owner, startable, onClose }: Props) {
  const { t } = useTranslation('task')
  const { time } = useFormats()
  const { deviceId, deviceCode } = owner
  const queries = useQueryClient()
  const now = useNow()
  const { held, inControl, known } = useHolder(deviceId, now)
  const take = useSend('/device/takeControl', { quiet: true })
  const { tell, busy, refused } = useTell(deviceId)
  const [failed, setFailed] = useState(false)
  const runs = useRobotPart(deviceId, ({ taskName }) => taskName) ?? ''
  const wet = useWetFloor(deviceId, 'maps' in startable ? startable.maps : [startable.map_name])
  const theirs = held !== undefined && !inControl

  const start = async () => {
    setFailed(false)
    if (!inControl) {
      const taken = await take.mutateAsync({ deviceId, minutes: MINUTES }).catch(() => undefined)
      await queries.invalidateQueries({ queryKey: ['device', '/device/control'] })
      if (taken === undefined) return setFailed(true)
      forgetGrant(deviceId)
    }
    const payload =
      'maps' in startable ? { group: startable.name } : { name: startable.name, map_name: startable.map_name }
    const label = t('start-named', { name: startable.name })
    if (await tell({ command: 'task_start', payload, label, confirms: (row) => row.run !== '' })) onClose()
  }
  return (
    <Modal
      open
      title={t('start-named', { name: startable.name })}
      okText={t(inControl ? 'start' : 'take-and-start', { minutes: MINUTES })}
      cancelText={t('cancel')}
      okButtonProps={{ loading: busy || take.isPending, disabled: !known || theirs || runs !== '' || !owner.online }}
      onOk={() => void start()}
      onCancel={onClose}
    >
      <p>{t('starts-now', { robot: deviceCode })}</p>
      {wet && <Warning>{t('wet-floor-warning')}</Warning>}
      {runs && <Problem text={t('runs-already', { name: runs })} />}
      {theirs && (
        <Warning>
          {t('other-controls', { name: held.owner, time: time(held.until) })}
          <LinkButton size="small" to={controlPath(owner)}>
            {t('remote-control')}
          </LinkButton>
        </Warning>
      )}
      <Problem text={failed ? t('control-not-taken') : refused?.text} />
    </Modal>
  )
}
