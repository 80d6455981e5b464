/** The calendar of a building or a robot: sums, the grid, and the occurrence that is looked at. */

import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useNow, useRobotParts, useShow } from '@/shared/live/live'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { useBelow } from '@/shared/ui/below'
import { Text } from '@/shared/ui/layout'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import type { Place } from '../place'
import type { Listed } from '../schedules'
import { DayList } from './day-list'
import { Grid, isHalted } from './grid'
import { usualDay } from './lanes/lanes'
import { LanesPanel } from './lanes/lanes-panel'
import { MoveDialog } from './move/move-dialog'
import { OccurrenceDialog } from './occurrence-dialog'
import { SumsLine } from './sums-line'
import { type Calendar, keyOf, lookOf, noteOf, type Occurrence, type Robot, sums, tonesOf } from './week'

const MINUTE_MS = 60_000

interface Props {
  place: Place
  onEdit(schedule: Listed, deviceId: number): void
  onAdd(deviceId: number, day: string): void
}

export function CalendarView({ place, onEdit, onAdd }: Props) {
  const { t } = useTranslation('task')
  const { by, building, deviceId, days, zone } = place
  const scope = by === 'robot' ? { deviceIds: deviceId === undefined ? [] : [deviceId] } : { building }
  const known = by === 'robot' ? deviceId !== undefined : building !== ''
  const calendar = useCall(
    '/task/calendar',
    { ...scope, zone, startDate: days[0] ?? '', endDate: days.at(-1) ?? '' },
    { enabled: known, keep: true },
  )
  if (!known) return <Nothing why={t(by === 'robot' ? 'choose-robot-first' : 'no-buildings')} />
  return (
    <QueryView
      query={calendar}
      isEmpty={({ robots }) => robots.length === 0}
      empty={<Nothing why={t('no-robots-here')} />}
    >
      {(calendar) => <Loaded calendar={calendar} {...{ place, onEdit, onAdd }} />}
    </QueryView>
  )
}

function Loaded({ calendar, place, onEdit, onAdd }: Props & { calendar: Calendar }) {
  const { t } = useTranslation('task')
  const { list, runs, robots, rides } = calendar
  const { by, zone, days, today, only, night, change } = place
  const lanesDay = days.includes(night) ? night : usualDay(rides, days, today, zone)
  const [open, setOpen] = useState<string>()
  const [move, setMove] = useState<{ occurrence: Occurrence; shift: number }>()
  const may = useMay('device/taskList')
  const now = useNow(MINUTE_MS)
  const Layout = useBelow('tablet') ? DayList : Grid
  const ids = robots.map((robot) => robot.deviceId)
  useShow({ robots: ids })
  const modes = useRobotParts(ids, ({ mode }) => mode)
  const modeOf = (id: number) => modes[ids.indexOf(id)]
  const halted = (id: number) => isHalted(modeOf(id))
  const visible = only
    ? list.filter((occurrence) => noteOf(lookOf(occurrence, halted(occurrence.deviceId))) === only)
    : list
  const tones = tonesOf(list)
  const chosen = list.find((occurrence: Occurrence) => keyOf(occurrence) === open)
  const itsRobot = robots.find((robot) => robot.deviceId === chosen?.deviceId)
  return (
    <>
      <SumsLine sums={sums(list, runs, halted)} only={only} tones={tones} onOnly={(note) => change({ only: note })} />
      {list.length + runs.length === 0 && (
        <Text size="small" tone="soft">
          {t('nothing-planned')}
        </Text>
      )}
      <Layout
        label={t('week-calendar')}
        {...{ days, today, now, zone, robots, tones, modeOf }}
        list={visible}
        runs={only ? [] : runs}
        robotPath={(id) => `/device/taskList?by=robot&deviceId=${id}`}
        onOpen={(occurrence) => setOpen(keyOf(occurrence))}
        {...(may && {
          onAdd: (robot: Robot, day: string) => onAdd(robot.deviceId, day),
          onMove: (occurrence: Occurrence, shift: number) => setMove({ occurrence, shift }),
        })}
        {...(by === 'building' && { chosen: lanesDay, onDay: (night: string) => change({ night }) })}
      />
      {by === 'building' && (
        <LanesPanel key={lanesDay} calendar={calendar} day={lanesDay} {...{ zone, now, tones, modeOf }} />
      )}
      {chosen && itsRobot && (
        <OccurrenceDialog
          occurrence={chosen}
          robot={itsRobot}
          zone={zone}
          onEdit={(schedule) => {
            setOpen(undefined)
            onEdit(schedule, chosen.deviceId)
          }}
          onMove={() => {
            setOpen(undefined)
            setMove({ occurrence: chosen, shift: 0 })
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
      {move && <MoveDialog key={keyOf(move.occurrence)} {...move} onClose={() => setMove(undefined)} />}
    </>
  )
}
