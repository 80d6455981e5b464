/** What one robot would show now, in its order and by the clock of its place; and what it shows at other times. */

import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Panel } from '@/shared/ui/panel'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import styles from './advert.module.css'
import { Small } from './content'
import { isVideo } from './files'
import type { Row } from './form'
import { AdvertState } from './state'
import { When } from './when'

const GOOD_MS = 30_000 // what is shown goes by the clock there

interface Props {
  deviceId: number
  onPreview(row: Row): void
}

export function Sequence({ deviceId, onPreview }: Props) {
  const robot = useCall('/device/selectDeviceByDeviceId', { deviceId })
  return (
    <QueryView query={robot}>
      {({ deviceCode, deviceSerialNumber }) => (
        <Shows name={deviceCode} serial={deviceSerialNumber} onPreview={onPreview} />
      )}
    </QueryView>
  )
}

interface ShowsProps {
  name: string
  serial: string
  onPreview(row: Row): void
}

function Shows({ name, serial, onPreview }: ShowsProps) {
  const { t } = useTranslation('advert')
  const { time } = useFormats()
  const query = useCall('/device/selectDeviceAdvertising', { deviceSerialNumber: serial }, { goodMs: GOOD_MS })
  return (
    <QueryView query={query}>
      {({ list, zone }) => {
        const now = list.filter(({ state }) => state === 'showing')
        const other = list.filter(({ state }) => state !== 'showing')
        return (
          <>
            <Panel
              title={t('shows-now', { name })}
              extra={t('time-there', { time: time(query.dataUpdatedAt, zone), zone })}
            >
              {now.length > 0 ? (
                <Strip rows={now} numbered onPreview={onPreview} />
              ) : (
                <Nothing why={t('shows-nothing')} />
              )}
            </Panel>
            {other.length > 0 && (
              <Panel title={t('not-now')}>
                <Strip rows={other} onPreview={onPreview} />
              </Panel>
            )}
          </>
        )
      }}
    </QueryView>
  )
}

interface StripProps {
  rows: readonly Row[]
  numbered?: boolean
  onPreview(row: Row): void
}

function Strip({ rows, numbered = false, onPreview }: StripProps) {
  const { t } = useTranslation('advert')
  const { number, unit } = useFormats()
  return (
    <ol className={styles.strip}>
      {rows.map((row, place) => (
        <li key={row.id}>
          <Small key={row.updateTime} row={row} onOpen={() => onPreview(row)} />
          <p>
            {numbered && <b>{number(place + 1)}</b>}
            <bdi>{row.name}</bdi>
          </p>
          <p className={styles.remark}>
            {isVideo(row.kind) ? t('video') : unit(row.seconds ?? 0, 'second')}
            {' · '}
            <bdi>{row.userName}</bdi>
          </p>
          {!numbered && (
            <div>
              <AdvertState state={row.state} />
              <When row={row} />
            </div>
          )}
        </li>
      ))}
    </ol>
  )
}
