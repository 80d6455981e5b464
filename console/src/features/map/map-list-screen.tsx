/** Maps by building and floor: those that robots keep (mirrored here) and those in the account's library. Filters stand
 * in the URL. */
import { IconFileImport, IconMap2 } from '@tabler/icons-react'
import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import { Segment, Segments } from '@/shared/controls/segments'
import { useTranslation } from '@/shared/i18n/text'
import { useRobotPart, useShow } from '@/shared/live/live'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Row } from '@/shared/ui/layout'
import { Page } from '@/shared/ui/panel'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import { DevicePicker } from '@/widgets/form/device-picker'
import { filters, number, useFilters, words } from '@/widgets/list/filters'
import { usePlace } from '@/widgets/place'
import { BuildDialog } from './dialogs/build-dialog'
import { ImportDialog } from './dialogs/import-dialog'
import { type Building, buildingsOf, grouped, type Level } from './groups'
import styles from './map.module.css'
import { MapCard } from './map-card'
import { type Doing, MapDialogs } from './map-dialogs'
import type { MapRow } from './row'

const FILTERS = filters({
  text: words((text) => ({ text })),
  robot: number((deviceId) => ({ deviceId }), 'deviceId'),
  building: words(),
  floor: words(),
})

export function MapListScreen() {
  const { t } = useTranslation('map')
  const { values, payload, change, narrowed } = useFilters(FILTERS)
  const [open, setOpen] = useState<'import' | 'build'>()
  const [doing, setDoing] = useState<Doing>()
  const { text } = values
  const maps = useCall('/map/selectMap', payload, { keep: true })
  const mayDraw = useMay('device/maplist')
  const mayBuild = useMay('device_control/index') && mayDraw
  const list = maps.data?.list ?? []
  useShow({ robots: [...new Set(list.flatMap(({ deviceId }) => deviceId ?? []))] })
  const add = mayDraw && (
    <Button type="primary" icon={<IconFileImport size={17} stroke={2} />} onClick={() => setOpen('import')}>
      {t('import-map')}
    </Button>
  )
  const buildings = [...new Set([...buildingsOf(list), ...(values.building ? [values.building] : [])])].filter(Boolean)
  return (
    <Page>
      <Row wrap gap="m" align="center">
        <Input.Search
          key={text}
          allowClear
          className={styles.search ?? ''}
          defaultValue={text}
          placeholder={t('search-maps')}
          aria-label={t('search-maps')}
          onSearch={(value) => change({ text: value.trim() })}
        />
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
        <Row as="span" gap="s" end>
          {mayBuild && (
            <Button icon={<IconMap2 size={17} stroke={2} />} onClick={() => setOpen('build')}>
              {t('build-map')}
            </Button>
          )}
          {add}
        </Row>
      </Row>
      <QueryView
        query={maps}
        filtered={narrowed}
        isEmpty={(answer) => grouped(answer.list, values).length === 0}
        empty={<Nothing why={t('no-maps')} action={add} />}
      >
        {(answer) =>
          grouped(answer.list, values).map((group) => (
            <section key={group.name} aria-label={group.name || t('no-building')}>
              <Row as="header" wrap gap="panel" lines="s" align="center" below="s">
                <h2>
                  <bdi>{group.name || t('no-building')}</bdi>
                </h2>
                {group.name !== '' && group.floors.length > 1 && (
                  <Floors of={group} chosen={values} onChoose={change} />
                )}
              </Row>
              <div className={styles.grid}>
                {group.maps.map((map) => (
                  <LiveCard key={map.mapId} map={map} onDoing={setDoing} />
                ))}
              </div>
            </section>
          ))
        }
      </QueryView>
      <ImportDialog open={open === 'import'} onClose={() => setOpen(undefined)} />
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

function LiveCard({ map, onDoing }: { map: MapRow; onDoing(doing: Doing): void }) {
  const online = useRobotPart(map.deviceId ?? undefined, ({ mode }) => mode !== 'offline') === true
  return <MapCard map={map} online={online} onAction={(action) => onDoing({ action, map })} />
}
