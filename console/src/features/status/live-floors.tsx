/** Floors with robots as small live plans. Pictures and marks move by the socket; sums come with the overview. */
import { Select } from 'antd'
import { useRef, useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { LaneProgress } from '@/shared/marks/lanes'
import type { Answer } from '@/shared/rpc/contract'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { longestUncleaned, RoomList, useCleanedRooms, useCleanedText } from '@/widgets/map/cleaned-rooms'
import { useFloor } from '@/widgets/map/floor'
import { FloorTile } from '@/widgets/map/floor-tile'
import { useInView } from '@/widgets/map/use-in-view'
import { usePlace } from '@/widgets/place'
import { shareOf } from '@/widgets/share'
import { useCleanFloor } from '@/widgets/task/clean/clean-floor'
import styles from './floors.module.css'
import { Marks, useModes } from './marks'

type Floor = Answer<'/board/overview'>['floors'][number]

const ALL = ''

/** The head of the tile that a robot is on, to be brought into sight. */
export const headWith = (deviceId: number) => document.querySelector<HTMLElement>(`[data-robots~="${deviceId}"]`)

export function LiveFloors({ floors }: { floors: readonly Floor[] }) {
  const { t } = useTranslation('status')
  const [site, setSite] = useState(ALL)
  const sites = [...new Set(floors.map(({ building }): string => building))]
  const visible = floors.filter((floor) => site === ALL || floor.building === site)
  return (
    <Row as="section" stack gap="m" aria-labelledby="live-floors">
      <Row as="header" gap="l" align="center">
        <h2 id="live-floors">{t('live-floors')}</h2>
        <Select
          aria-label={t('site')}
          value={site}
          onChange={setSite}
          popupMatchSelectWidth={false}
          options={[{ value: ALL, label: t('all-sites') }, ...sites.map((name) => ({ value: name, label: name }))]}
        />
      </Row>
      {visible.length === 0 ? (
        <Panel>
          <Nothing why={t('no-floors')} />
        </Panel>
      ) : (
        <div className={styles.tiles}>
          {visible.map((floor) => (
            <Tile key={floor.mapId} floor={floor} />
          ))}
        </div>
      )}
    </Row>
  )
}

function Tile({ floor }: { floor: Floor }) {
  const { t } = useTranslation('status')
  const { percent, area } = useFormats()
  const modes = useModes(floor.deviceIds)
  const done = shareOf(floor.cleaned, floor.planned)
  const { place, floor: named } = usePlace()
  const label = place(floor.building, floor.floor)
  const plan = useRef<HTMLDivElement>(null)
  const seen = useInView(plan)
  const { document } = useFloor(seen ? floor.deviceIds[0] : undefined, floor.mapId) // as the picture: it may be closed
  const rooms = useCleanedRooms(floor.mapId, document !== undefined)
  const cleaned = useCleanedText()
  const longest = longestUncleaned(rooms)
  const robots = floor.deviceIds.map((deviceId, i) => ({
    ...{ deviceId, deviceCode: floor.deviceNames[i] ?? '', mapId: floor.mapIds[i] ?? floor.mapId },
  }))
  const clean = useCleanFloor(label, robots, rooms)
  return (
    <Panel className={styles.tile} alert={modes.includes('help')}>
      <Row as="header" gap="m" align="center" pad="s l" data-robots={floor.deviceIds.join(' ')} tabIndex={-1}>
        <Text as="h3" size="control" grow cut>
          <bdi>{floor.building}</bdi>
        </Text>
        {clean.button}
        <Marks modes={modes} />
      </Row>
      <div className={styles.plan} ref={plan}>
        <FloorTile
          deviceId={floor.deviceIds[0]}
          mapId={floor.mapId}
          robots={floor.deviceIds}
          maps={floor.mapIds}
          names={floor.deviceNames}
          furniture
          pinned
          label={label}
          missing={t('no-floors')}
          onTap={clean.onTap}
        />
        <RoomList rooms={rooms} floor={label} />
      </div>
      <Row as="footer" gap="m" align="center" pad="s l" size="small">
        <Text as="span" tone="quiet" cut>
          <bdi>{named(floor.floor)}</bdi>
        </Text>
        <LaneProgress ratio={done} label={t('done')} />
        <b>{percent(done)}</b>
        <Text as="span" tone="soft">
          {area(floor.cleaned).text}
        </Text>
      </Row>
      {clean.dialog}
      {longest && (
        <Row gap="m" align="center" pad="s l" size="small" rule="above">
          <Text as="span" tone="soft" grow cut>
            <span className="unseen">{t('longest-uncleaned')}: </span>
            <bdi>{longest.name}</bdi>
          </Text>
          <Text as="span" tone="quiet">
            {cleaned(longest)}
          </Text>
        </Row>
      )}
    </Panel>
  )
}
