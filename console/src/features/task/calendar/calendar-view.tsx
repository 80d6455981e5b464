/** The calendar of a building or a robot: sums, the grid, and the occurrence that is looked at. */

import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useRobotParts, useShow } from '@/shared/live/live'
import { useCall } from '@/shared/rpc/hooks'
import { Text } from '@/shared/ui/layout'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import type { Place } from '../place'
import type { Listed } from '../schedules'
import { Grid, isHalted } from './grid'
import { usualDay } from './lanes'
import { LanesPanel } from './lanes-panel'
import { OccurrenceDialog } from './occurrence-dialog'
import { SumsLine } from './sums-line'
import { type Calendar, keyOf, lookOf, noteOf, type Occurrence, sums, tonesOf } from './week'

interface Props {
  place: Place
  onEdit(schedule: Listed, deviceId: number): void
}

export function CalendarView({ place, onEdit }: Props) {
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
      {(calendar) => <Loaded calendar={calendar} place={place} onEdit={onEdit} />}
    </QueryView>
  )
}

function Loaded({ calendar, place, onEdit }: Props & { calendar: Calendar }) {
  const { t } = useTranslation('task')
  const { list, robots, rides } = calendar
  const { by, zone, days, today, only, night, change } = place
  const lanesDay = days.includes(night) ? night : usualDay(rides, days, today, zone)
  const [open, setOpen] = useState<string>()
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
      <SumsLine sums={sums(list, halted)} only={only} tones={tones} onOnly={(note) => change({ only: note })} />
      {list.length === 0 && (
        <Text size="small" tone="soft">
          {t('nothing-planned')}
        </Text>
      )}
      <Grid
        label={t('week-calendar')}
        {...{ days, today, zone, robots, tones, modeOf }}
        list={visible}
        robotPath={(id) => `/device/taskList?by=robot&deviceId=${id}`}
        onOpen={(occurrence) => setOpen(keyOf(occurrence))}
        {...(by === 'building' && { chosen: lanesDay, onDay: (night: string) => change({ night }) })}
      />
      {by === 'building' && (
        <LanesPanel key={lanesDay} calendar={calendar} day={lanesDay} {...{ zone, tones, modeOf }} />
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
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}
