/** Another day or time for one start of a schedule, or for all to come; for a moment it can be taken back. */
import { Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useNow } from '@/shared/live/live'
import { Row } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { Field, Problem } from '@/widgets/form/field'
import { ClockInput } from '@/widgets/form/time/clock-input'
import { DayInput } from '@/widgets/form/time/day-input'
import { useOnline } from '@/widgets/robot/online'
import { useDayNames } from '@/widgets/week'
import { useTell } from '../../robot-link'
import { EDIT, payloadOf, useSchedules } from '../../schedules'
import { plusDays, weekday } from '../days'
import type { Occurrence } from '../week'
import { isBefore, type Moment, momentOf, moved, movesAlone, type Reach } from './move'

interface Props {
  occurrence: Occurrence
  /** How many days later the pointer left it. */
  shift: number
  onClose(): void
}

const MINUTE_MS = 60_000

export function MoveDialog({ occurrence, shift, onClose }: Props) {
  const { t } = useTranslation('task')
  const { name: dayName } = useDayNames()
  const { deviceId, deviceCode, kind, schedule, zone } = occurrence
  const online = useOnline(deviceId)
  const schedules = useSchedules(deviceId, online)
  const own = schedules.rows?.find((listed) => listed.name === schedule && listed.kind === kind)
  const { tell, busy, refused } = useTell(deviceId)
  const present = momentOf(useNow(MINUTE_MS), zone)
  const [to, setTo] = useState<Moment>(() => {
    const { day, time } = momentOf(Date.parse(occurrence.start), zone)
    return { day: plusDays(day, shift), time }
  })
  const alone = own !== undefined && movesAlone(own)
  const [chosen, choose] = useState<Reach>('one')
  const reach = alone ? chosen : 'all'
  const past = isBefore(to, present)
  const usable = own !== undefined && schedules.from === 'robot'

  const undo = (revision: number) => {
    if (!own) return
    const label = t('undo-move', { name: schedule })
    void tell({ command: EDIT[kind], payload: { ...payloadOf(own), revision }, label }, { kind, name: schedule })
  }
  const move = async () => {
    if (!own || !usable || past) return
    const payload = moved(own, occurrence, to, reach, present.day)
    const label = t('move-named', { name: schedule })
    const done = await tell({ command: EDIT[kind], payload, label }, { kind, name: schedule })
    if (!done) return
    const text = t('has-moved', { name: schedule, day: dayName(weekday(to.day)), time: to.time })
    notice('success', text, { label: t('robot:undo'), run: () => undo(Number(done.revision)) })
    onClose()
  }
  return (
    <Modal
      open
      title={t('move-title', { name: schedule, robot: deviceCode })}
      okText={t('move')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: busy, disabled: !usable || past }}
      onOk={() => void move()}
      onCancel={onClose}
    >
      {!online && <Problem text={t('offline-read-only')} />}
      <Row wrap gap="l" align="start">
        <Field label={t('day')}>
          <DayInput value={to.day} from={present.day} onChange={(day) => setTo({ ...to, day })} />
        </Field>
        <Field label={t('start-time')} hint={t('by-clock', { zone })} fault={past ? t('move-past') : undefined}>
          <ClockInput value={to.time} onChange={(time) => setTo({ ...to, time })} />
        </Field>
      </Row>
      <Radio.Group
        aria-label={t('move-reach')}
        value={reach}
        onChange={({ target }) => choose(target.value)}
        options={[
          { value: 'one', label: t('move-one'), disabled: !alone },
          { value: 'all', label: t('move-coming') },
        ]}
      />
      {refused && <Problem text={refused.text} />}
    </Modal>
  )
}
