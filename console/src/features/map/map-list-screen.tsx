/** Maps by building and floor: those that robots keep (mirrored here) and those in the account's library. Filters stand
 * in the URL. */
import { IconFileImport, IconMap2 } from '@tabler/icons-react'
import { Button, Select } from 'antd'
import { useState } from 'react'
import { Segment, Segments } from '@/shared/controls/segments'
import { useTranslation } from '@/shared/i18n/text'
import { useRobotPart, useShow } from '@/shared/live/live'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Row } from '@/shared/ui/layout'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { DevicePicker } from '@/widgets/form/device-picker'
import { filters, number, useFilters, words } from '@/widgets/list/filters'
import { ListView } from '@/widgets/list/list-view'
import { Search } from '@/widgets/list/search'
import { usePlace } from '@/widgets/place'
import { byFloor, type FloorMaps } from './copies'
import { BuildDialog } from './dialogs/build-dialog'
import { ImportDialog } from './dialogs/import-dialog'
import { type Building, buildingsOf, grouped, type Level } from './groups'
import styles from './map.module.css'
import { MapMenu } from './map-actions'
import { MapCard } from './map-card'
import { COLUMNS } from './map-columns'
import { type Doing, MapDialogs } from './map-dialogs'
import type { MapRow } from './row'

const NONE: readonly number[] = []

const FILTERS = filters({
  text: words((text) => ({ text })),
  robot: number((deviceId) => ({ deviceId }), 'deviceId'),
  building: words(),
  floor: words(),
})

export function MapListScreen() {
  const { t } = useTranslation('map')
  const { values, payload, change, narrowed, reset } = useFilters(FILTERS)
  const [open, setOpen] = useState<'import' | 'build'>()
  const [doing, setDoing] = useState<Doing>()
  const [fresh, setFresh] = useState<readonly number[]>(NONE)
  const maps = useCall('/map/selectMap', payload, { keep: true })
  const mayDraw = useMay('device/maplist')
  const mayBuild = useMay('device_control/index') && mayDraw
  const list = maps.data?.list ?? []
  useShow({ robots: [...new Set(list.flatMap(({ deviceId }) => deviceId ?? []))] })
  const groups = grouped(list, values)
  const add = mayDraw && (
    <Button type="primary" icon={<IconFileImport size={17} stroke={2} />} onClick={() => setOpen('import')}>
      {t('import-map')}
    </Button>
  )
  const buildings = [...new Set([...buildingsOf(list), ...(values.building ? [values.building] : [])])].filter(Boolean)
  const card = (map: MapRow, building: boolean, of?: FloorMaps) => (
    <LiveCard
      key={map.mapId}
      map={map}
      building={building}
      floor={of}
      fresh={(of?.maps ?? [map]).some(({ mapId }) => fresh.includes(mapId))}
      onDoing={setDoing}
    />
  )
  return (
    <Page>
      <ListView
        name="map"
        texts="map"
        label={t('map-list')}
        columns={COLUMNS}
        query={{ ...maps, data: maps.data && { list: groups.flatMap((group) => group.maps) } }}
        idOf={({ mapId }) => mapId}
        narrowed={narrowed}
        onReset={reset}
        empty={<Nothing why={t('no-maps')} action={add} />}
        search={
          <Search text={values.text} hint={t('search-maps')} onSearch={(text) => change({ text })}>
            <DevicePicker
              className={styles.robot}
              label={t('robot')}
              placeholder={t('every-robot')}
              value={values.robot}
              onChange={(robot) => change({ robot })}
            />
            <Select
              allowClear
              showSearch={{ optionFilterProp: 'label' }}
              className={styles.robot ?? ''}
              placeholder={t('every-building')}
              aria-label={t('building')}
              value={values.building || null}
              onChange={(building: string | null) => change({ building: building ?? '', floor: '' })}
              options={buildings.map((name) => ({ value: name, label: name }))}
            />
          </Search>
        }
        tools={
          <>
            {mayBuild && (
              <Button icon={<IconMap2 size={17} stroke={2} />} onClick={() => setOpen('build')}>
                {t('build-map')}
              </Button>
            )}
            {add}
          </>
        }
        actions={(map) => <LiveMenu map={map} onDoing={setDoing} />}
        cards={(rows, sorted) =>
          sorted ? (
            <div className={styles.grid}>{rows.map((map) => card(map, true))}</div>
          ) : (
            groups.map((group) => (
              <section key={group.name} aria-label={group.name || t('no-building')}>
                <Row as="header" wrap gap="panel" lines="s" align="center" below="s">
                  <h2>
                    <bdi>{group.name || t('no-building')}</bdi>
                  </h2>
                  {group.name !== '' && group.floors.length > 1 && (
                    <Floors of={group} chosen={values} onChoose={change} />
                  )}
                </Row>
                <div className={styles.grid}>{byFloor(group.maps).map((of) => card(of.first, false, of))}</div>
              </section>
            ))
          )
        }
      />
      <ImportDialog
        open={open === 'import'}
        onClose={() => setOpen(undefined)}
        onImported={(ids) => {
          reset()
          setFresh(ids)
        }}
      />
      {open === 'build' && <BuildDialog onClose={() => setOpen(undefined)} />}
      <MapDialogs doing={doing} onClose={() => setDoing(undefined)} />
    </Page>
  )
}

/** The floors of a building side by side: one of them, or all. */
function Floors({ of, chosen, onChoose }: { of: Building; chosen: Level; onChoose(level: Level): void }) {
  const { t } = useTranslation('map')
  const { floor: named } = usePlace()
  const isChosen = chosen.building === of.name
  return (
    <Segments label={t('floor')}>
      <Segment
        on={!isChosen || chosen.floor === ''}
        onChoose={() => onChoose({ building: chosen.building, floor: '' })}
      >
        {t('every-floor')}
      </Segment>
      {of.floors.filter(Boolean).map((floor) => (
        <Segment
          key={floor}
          on={isChosen && chosen.floor === floor}
          onChoose={() => onChoose({ building: of.name, floor })}
        >
          {named(floor)}
        </Segment>
      ))}
    </Segments>
  )
}

interface LiveProps {
  map: MapRow
  onDoing(doing: Doing): void
}

const useOnline = ({ deviceId }: MapRow) =>
  useRobotPart(deviceId ?? undefined, ({ mode }) => mode !== 'offline') === true

interface LiveCardProps extends LiveProps {
  building: boolean
  floor: FloorMaps | undefined
  fresh: boolean
}

function LiveCard({ map, onDoing, ...card }: LiveCardProps) {
  const act = (action: Doing['action']) => onDoing({ action, map })
  return <MapCard {...card} map={map} online={useOnline(map)} onAction={act} onDoing={onDoing} />
}

function LiveMenu({ map, onDoing }: LiveProps) {
  return <MapMenu map={map} online={useOnline(map)} onAction={(action) => onDoing({ action, map })} />
}
