/** Maps: those that robots keep (mirrored here) and those in the account's library. Filters stand in the URL. */
import { IconFileImport } from '@tabler/icons-react'
import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useCall } from '@/shared/rpc/hooks'
import { Page } from '@/shared/ui/panel'
import { Nothing, Shown } from '@/shared/ui/shown'
import { ChargerDialog } from './charger-dialog'
import { GiveDialog } from './give-dialog'
import { ImportDialog } from './import-dialog'
import styles from './map.module.css'
import { MapCard } from './map-card'
import type { MapRow } from './row'

const LISTED = 500
const MIRRORED_WITHIN_MS = 5000 // what robots change on their own comes without a reload

export function MapListScreen() {
  const { t } = useTranslation('map')
  const [query, setQuery] = useSearchParams()
  const [importing, setImporting] = useState(false)
  const [giving, setGiving] = useState<MapRow>()
  const [placing, setPlacing] = useState<MapRow>()
  const text = query.get('text') ?? ''
  const robot = Number(query.get('deviceId')) || undefined
  const maps = useCall(
    '/map/selectMap',
    { ...(robot && { deviceId: robot }), ...(text && { text }) },
    { keep: true, refetchInterval: MIRRORED_WITHIN_MS },
  )
  const robots = useCall('/device/selectDevicePc', { isPc: '1', currentPage: 1, pageSize: LISTED })
  const narrow = (key: string, value: string | undefined) =>
    setQuery(
      (was) => {
        const next = new URLSearchParams(was)
        if (value) next.set(key, value)
        else next.delete(key)
        return next
      },
      { replace: true },
    )
  const add = (
    <Button type="primary" icon={<IconFileImport size={17} stroke={2} />} onClick={() => setImporting(true)}>
      {t('import-map')}
    </Button>
  )
  return (
    <Page>
      <div className={styles.bar}>
        <Input.Search
          key={text}
          allowClear
          className={styles.search ?? ''}
          defaultValue={text}
          placeholder={t('search-maps')}
          aria-label={t('search-maps')}
          onSearch={(value) => narrow('text', value.trim())}
        />
        <Select
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          className={styles.robot ?? ''}
          placeholder={t('every-robot')}
          aria-label={t('robot')}
          value={robot ?? null}
          onChange={(id: number | null) => narrow('deviceId', id ? String(id) : undefined)}
          options={(robots.data?.list ?? []).map((r) => ({ value: r.deviceId, label: r.deviceCode }))}
        />
        <span className={styles.rest}>{add}</span>
      </div>
      <Shown
        query={maps}
        filtered={text !== '' || robot !== undefined}
        isEmpty={({ list }) => list.length === 0}
        empty={<Nothing why={t('no-maps')} action={add} />}
      >
        {({ list }) => (
          <div className={styles.grid}>
            {list.map((map) => (
              <MapCard key={map.mapId} map={map} onGive={() => setGiving(map)} onCharger={() => setPlacing(map)} />
            ))}
          </div>
        )}
      </Shown>
      <ImportDialog open={importing} onClose={() => setImporting(false)} />
      <GiveDialog map={giving} onClose={() => setGiving(undefined)} />
      {placing && <ChargerDialog key={placing.mapId} map={placing} onClose={() => setPlacing(undefined)} />}
    </Page>
  )
}
