/**
 * Remote control of one robot, in the layout of its generation: each generation has an address of its own. Whatever of it
 * fails to draw, the robot can still be stopped and paused.
 */
import { Navigate, useLocation, useParams } from 'react-router'
import { useRobotPart, useShow } from '@/shared/live/live'
import { useCall } from '@/shared/rpc/hooks'
import { Boundary } from '@/shared/ui/boundary'
import { Loading, QueryView } from '@/shared/ui/query-view'
import { useSubject } from '@/shared/ui/subject'
import { controlPath } from '@/widgets/paths'
import { ControlPage } from './control-page'
import { controlRow } from './control-row'
import { FallbackPage } from './fallback-controls'
import type { Subject } from './status/subject-band'

export function ControlScreen() {
  const deviceId = Number(useParams().deviceId)
  return (
    <Boundary key={deviceId} fallback={(retry) => <FallbackPage deviceId={deviceId} retry={retry} />}>
      <Content deviceId={deviceId} />
    </Boundary>
  )
}

function Content({ deviceId }: { deviceId: number }) {
  const { pathname } = useLocation()
  const device = useCall('/device/selectDeviceByDeviceId', { deviceId })
  useSubject(device.data?.deviceCode)
  return (
    <QueryView query={device}>
      {(device) => {
        const path = controlPath(device)
        return path === pathname ? <Watched device={device} /> : <Navigate to={path} replace />
      }}
    </QueryView>
  )
}

function Watched({ device }: { device: Subject }) {
  const id = device.deviceId
  useShow({ robots: [id], cells: [id], detail: id })
  const row = useRobotPart(id, controlRow)
  return row ? <ControlPage device={device} row={row} /> : <Loading />
}
