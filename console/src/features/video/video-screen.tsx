/** /device/videoHistory: what a robot sees now, what was recorded of it, and who watched. */
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Row, Toolbar } from '@/shared/ui/layout'
import { Page } from '@/shared/ui/panel'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import { DevicePicker } from '@/widgets/form/device-picker'
import { filters, number, useFilters } from '@/widgets/list/filters'
import { Clips } from './clips'
import { LivePanel } from './live-panel'
import { RecordRulePanel } from './record-rule'
import { Recordings } from './recordings'
import { Views } from './views'

const ROBOT = filters({ device: number() })

export function VideoScreen() {
  const { t } = useTranslation('video')
  const { values, change } = useFilters(ROBOT)
  return (
    <Page>
      <Toolbar>
        <DevicePicker
          value={values.device}
          label={t('common:robot')}
          placeholder={t('choose-robot')}
          onChange={(device) => change({ device })}
        />
      </Toolbar>
      {values.device === undefined ? (
        <Nothing why={t('choose-robot-first')} />
      ) : (
        <OfRobot key={values.device} deviceId={values.device} />
      )}
    </Page>
  )
}

function OfRobot({ deviceId }: { deviceId: number }) {
  const mayWatch = useMay('device/videoHistory/live')
  const robot = useCall('/device/selectDeviceByDeviceId', { deviceId })
  return (
    <QueryView query={robot}>
      {({ deviceSerialNumber }) => (
        <Row stack gap="l">
          {mayWatch && <LivePanel deviceSerialNumber={deviceSerialNumber} />}
          <RecordRulePanel deviceSerialNumber={deviceSerialNumber} />
          <Recordings deviceSerialNumber={deviceSerialNumber} />
          <Clips deviceSerialNumber={deviceSerialNumber} />
          <Views deviceSerialNumber={deviceSerialNumber} />
        </Row>
      )}
    </QueryView>
  )
}
