/** Who is on duty for one's own robots: a week of shifts, each of one person, by the clocks of one zone. */
import { IconTrash } from '@tabler/icons-react'
import { Select } from 'antd'
import { useState } from 'react'
import { Button } from '@/shared/controls/button'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { QueryView } from '@/shared/ui/query-view'
import { Problem } from '@/widgets/form/field'
import { ClockInput } from '@/widgets/form/time/clock-input'
import { useAction } from '@/widgets/form/use-action'
import { useDayNames, WEEK } from '@/widgets/week'
import { DutyText } from './duty-line'

const WIDTH_PX = 640
const MORNING = { day: 1, starts: '08:00', ends: '16:00' } as const

type Rota = Answer<'/warn/rota'>
interface Shift {
  readonly userId: number
  readonly day: number
  readonly starts: string
  readonly ends: string
}

export function RotaDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('alarm')
  const may = useMay('warn/index/warn/resume')
  const rota = useCall('/warn/rota', {})
  const [typed, setTyped] = useState<readonly Shift[]>()
  const action = useAction('/warn/editRota', t('duty-rota'), ['list'])
  const zone = rota.data?.zone || Intl.DateTimeFormat().resolvedOptions().timeZone
  const shifts = typed ?? rota.data?.list ?? []
  const save = () => {
    const list = shifts.map(({ userId, day, starts, ends }) => ({ userId, day, starts, ends }))
    void action.run({ zone, list }, onClose)
  }
  return (
    <Modal
      open
      width={WIDTH_PX}
      title={t('duty-rota')}
      okText={t('common:save')}
      cancelText={t(may ? 'common:cancel' : 'common:close')}
      okButtonProps={{ loading: action.busy, disabled: !typed, ...(!may && { style: { display: 'none' } }) }}
      onOk={save}
      onCancel={onClose}
    >
      <QueryView query={rota}>
        {(data) => (
          <Row stack gap="m">
            <Text tone="soft">{t('duty-how')}</Text>
            <DutyText rota={data} />
            {shifts.map((shift, place) => (
              <ShiftFields
                // biome-ignore lint/suspicious/noArrayIndexKey: shifts of one form have no other name
                key={place}
                shift={shift}
                people={data.people}
                disabled={!may}
                onChange={(next) => setTyped(shifts.map((other, at) => (at === place ? next : other)))}
                onRemove={() => setTyped(shifts.filter((_, at) => at !== place))}
              />
            ))}
            {may && (
              <span>
                <Button
                  size="small"
                  disabled={data.people.length === 0}
                  onClick={() => setTyped([...shifts, followUp(shifts, data.people)])}
                >
                  {t('add-shift')}
                </Button>
              </span>
            )}
            <Text size="small" tone="soft">
              {t('times-in', { zone })}
            </Text>
            <Problem text={action.problemAt('list') ?? action.problem} />
          </Row>
        )}
      </QueryView>
    </Modal>
  )
}

/** Another shift begins as the last one does, a day later. */
function followUp(shifts: readonly Shift[], people: Rota['people']): Shift {
  const last = shifts.at(-1)
  if (!last) return { ...MORNING, userId: people[0]?.userId ?? 0 }
  return { ...last, day: (last.day % WEEK.length) + 1 }
}

interface ShiftProps {
  shift: Shift
  people: Rota['people']
  disabled: boolean
  onChange(shift: Shift): void
  onRemove(): void
}

function ShiftFields({ shift, people, disabled, onChange, onRemove }: ShiftProps) {
  const { t } = useTranslation('alarm')
  const { name: dayName } = useDayNames()
  const set = (part: Partial<Shift>) => onChange({ ...shift, ...part })
  return (
    <Row wrap gap="s" align="center">
      <Select
        aria-label={t('duty-day')}
        value={shift.day as (typeof WEEK)[number]}
        disabled={disabled}
        popupMatchSelectWidth={false}
        options={WEEK.map((value) => ({ value, label: dayName(value) }))}
        onChange={(day) => set({ day })}
      />
      <Row gap="xs" align="center">
        <Clock
          label={t('quiet-from')}
          value={shift.starts}
          disabled={disabled}
          onChange={(starts) => set({ starts })}
        />
        <span aria-hidden>–</span>
        <Clock label={t('quiet-until')} value={shift.ends} disabled={disabled} onChange={(ends) => set({ ends })} />
      </Row>
      <Select
        aria-label={t('duty-person')}
        value={shift.userId}
        disabled={disabled}
        popupMatchSelectWidth={false}
        showSearch={{ optionFilterProp: 'label' }}
        options={people.map(({ userId, name }) => ({ value: userId, label: name }))}
        onChange={(userId) => set({ userId })}
      />
      {!disabled && (
        <Button size="small" aria-label={t('remove-shift')} icon={<IconTrash size={16} />} onClick={onRemove} />
      )}
    </Row>
  )
}

function Clock({ label, ...input }: { label: string } & Parameters<typeof ClockInput>[0]) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label>
      <span className="unseen">{label}</span>
      <ClockInput {...input} />
    </label>
  )
}
