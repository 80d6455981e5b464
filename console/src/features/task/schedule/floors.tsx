/** Which tasks on which map; over several floors one block each, with the points where the robot waits for the elevator. */
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Button, Select } from 'antd'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { relayCall } from '@/shared/relay/relay'
import { Text } from '@/shared/ui/layout'
import { Field, Problem } from '@/widgets/form/field'
import type { FloorTasks } from '../schedules'
import { withFloor } from './form'
import styles from './schedule.module.css'

interface Props {
  deviceId: number
  floors: readonly FloorTasks[]
  rides: boolean
  fault: string | undefined
  onChange(floors: readonly FloorTasks[]): void
}

export function Floors({ deviceId, floors, rides, fault, onChange }: Props) {
  const { t } = useTranslation('task')
  const maps = useQuery({
    queryKey: ['relay', deviceId, 'task_all_map'],
    queryFn: async ({ signal }) => (await relayCall(deviceId, 'task_all_map', {}, signal)).list,
    meta: { quiet: true },
  })
  const known = maps.data ?? []
  const set = (place: number, part: Partial<FloorTasks>) =>
    onChange(floors.map((floor, n) => (n === place ? { ...floor, ...part } : floor)))
  return (
    <>
      {floors.map((floor, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a floor is its place in the list
        <div key={n} className={styles.floor}>
          <Field label={rides ? t('floor-number', { number: n + 1 }) : t('map')}>
            <Select
              aria-label={rides ? t('floor-number', { number: n + 1 }) : t('map')}
              aria-invalid={Boolean(fault)}
              value={floor.map_name || null}
              loading={maps.isFetching}
              placeholder={t('choose-map')}
              onChange={(map_name: string) => set(n, { map_name, task_list: [] })}
              options={known.map((map) => ({ value: map.map_name, label: map.map_name }))}
            />
          </Field>
          <Field label={t('tasks')} hint={rides ? undefined : t('tasks-how')}>
            <Select
              mode="multiple"
              aria-label={t('tasks')}
              aria-invalid={Boolean(fault)}
              value={[...floor.task_list]}
              placeholder={t('choose-tasks')}
              notFoundContent={t('no-tasks-on-map')}
              onChange={(task_list: string[]) => set(n, { task_list })}
              options={(known.find((map) => map.map_name === floor.map_name)?.task_list ?? []).map(({ name }) => ({
                value: name,
                label: name,
              }))}
            />
          </Field>
          {rides && floor.map_name && <Points deviceId={deviceId} map={floor.map_name} />}
          {rides && floors.length > 1 && (
            <Button
              size="small"
              icon={<IconTrash size={15} />}
              onClick={() => onChange(floors.filter((_, place) => place !== n))}
            >
              {t('remove-floor', { number: n + 1 })}
            </Button>
          )}
        </div>
      ))}
      {rides && (
        <Button size="small" icon={<IconPlus size={15} />} onClick={() => onChange(withFloor(floors))}>
          {t('add-floor')}
        </Button>
      )}
      <Problem text={fault} />
    </>
  )
}

/** Where the robot waits for the elevator on that map. */
function Points({ deviceId, map }: { deviceId: number; map: string }) {
  const { t } = useTranslation('task')
  const { list } = useFormats()
  const points = useQuery({
    queryKey: ['relay', deviceId, 'elevator_point_list', map],
    queryFn: async ({ signal }) => (await relayCall(deviceId, 'elevator_point_list', { map_name: map }, signal)).list,
    meta: { quiet: true },
  })
  if (!points.data) return null
  return points.data.length > 0 ? (
    <Text size="small" tone="soft" above="xs" below="xs">
      {t('elevator-points', { names: list(points.data.map(({ name }) => name)) })}
    </Text>
  ) : (
    <Problem text={t('no-elevator-point')} />
  )
}
