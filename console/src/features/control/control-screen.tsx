/** Remote control of one robot, in the layout of its generation: each generation has an address of its own. */
import { Navigate, useLocation, useParams } from 'react-router'
import { useShow } from '@/shared/live/live'
import { useCall } from '@/shared/rpc/hooks'
import { Loading, Shown } from '@/shared/ui/shown'
import { useSubject } from '@/shared/ui/subject'
import { controlPath } from '@/widgets/paths'
import { ControlPage } from './control-page'
import { useStill } from './still'
import type { Subject } from './subject-band'

export function ControlScreen() {
  const deviceId = Number(useParams().deviceId)
  const { pathname } = useLocation()
  const device = useCall('/device/selectDeviceByDeviceId', { deviceId })
  useSubject(device.data?.deviceCode)
  return (
    <Shown query={device}>
      {(found) => {
        const path = controlPath(found)
        return path === pathname ? <Watched device={found as Subject} /> : <Navigate to={path} replace />
      }}
    </Shown>
  )
}

function Watched({ device }: { device: Subject }) {
  const id = device.deviceId
  useShow({ robots: [id], cells: [id], detail: id })
  const row = useStill(id)
  return row ? <ControlPage device={device} row={row} /> : <Loading />
}
