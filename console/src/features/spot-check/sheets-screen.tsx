/** /device/spotCheck/sheets: a page for the wall of each zone, under one's letterhead; its code opens the zone on a phone. */
import { IconArrowLeft, IconPrinter } from '@tabler/icons-react'
import { Button, Checkbox, Select } from 'antd'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { Page, Panel } from '@/shared/ui/panel'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import { Field } from '@/widgets/form/field'
import { filters, number, useFilters } from '@/widgets/list/filters'
import { LinkButton } from '@/widgets/list/link-button'
import { Sheet } from './sheet'
import styles from './spot-check.module.css'
import { usePlaceName, useZoneName } from './zone'

const FILTERS = filters({ map: number() })
type Zones = Answer<'/spotCheck/zones'>
type MapRow = Answer<'/map/selectMap'>['list'][number]

export function SheetsScreen() {
  const { t } = useTranslation('spotcheck')
  const { list } = useFormats()
  const { values, change } = useFilters(FILTERS)
  const maps = useCall('/map/selectMap', {})
  const label = (map: MapRow) => list([map.building, map.floor, map.name, map.deviceCode ?? ''].filter(Boolean))
  const { map: mapId } = values
  return (
    <Page>
      <Row gap="l" align="end" wrap>
        <LinkButton
          to="/device/spotCheck"
          icon={<IconArrowLeft size={16} stroke={1.75} data-flip />}
          aria-label={t('to-list')}
          title={t('to-list')}
        />
        <div className={styles.maps}>
          <Field label={t('map')}>
            <Select
              showSearch={{ optionFilterProp: 'label' }}
              value={mapId ?? null}
              loading={maps.isPending}
              placeholder={t('choose-map')}
              options={maps.data?.list.map((map) => ({ value: map.mapId, label: label(map) })) ?? []}
              onChange={(map: number | null) => change({ map: map ?? undefined })}
            />
          </Field>
        </div>
      </Row>
      {mapId === undefined ? <Nothing why={t('sheets-how')} /> : <Sheets key={mapId} mapId={mapId} />}
    </Page>
  )
}

function Sheets({ mapId }: { mapId: number }) {
  const zones = useCall('/spotCheck/zones', { mapId })
  return <QueryView query={zones}>{(answer) => <Choice mapId={mapId} zones={answer} />}</QueryView>
}

function Choice({ mapId, zones }: { mapId: number; zones: Zones }) {
  const { t } = useTranslation('spotcheck')
  const nameOf = useZoneName()
  const place = usePlaceName()(zones)
  const [chosen, setChosen] = useState<readonly string[]>(() => zones.list.map(({ room }) => room))
  const sheets = zones.list
    .filter(({ room }) => chosen.includes(room))
    .map((zone) => <Sheet key={zone.room} mapId={mapId} room={zone.room} zone={nameOf(zone)} place={place} />)
  return (
    <>
      <Panel title={t('zones')}>
        <Row stack gap="m" pad="m panel">
          <Text size="small" tone="quiet">
            {t('sheets-how')}
          </Text>
          <Checkbox.Group
            className={styles.zones ?? ''}
            value={[...chosen]}
            options={zones.list.map((zone) => ({ value: zone.room, label: nameOf(zone) }))}
            onChange={(rooms) => setChosen(rooms.map(String))}
          />
          <div>
            <Button
              type="primary"
              icon={<IconPrinter size={16} stroke={1.75} />}
              disabled={sheets.length === 0}
              onClick={() => window.print()}
            >
              {t('print')}
            </Button>
          </div>
        </Row>
      </Panel>
      <section className={styles.preview} aria-label={t('preview')}>
        {sheets}
      </section>
      {createPortal(
        <div className={styles.paper} aria-hidden="true">
          {sheets}
        </div>,
        document.body,
      )}
    </>
  )
}
