/** The dialogs of the map list: one at a time, for one map. */
import { lazy, Suspense, useEffect } from 'react'
import { useNavigate } from 'react-router'
import { sheetsPath } from '@/widgets/paths'
import { ChargerDialog } from './dialogs/charger-dialog'
import { DeleteMap, ForgetMap } from './dialogs/delete-map'
import { DownloadDialog } from './dialogs/download-dialog'
import { GiveDialog } from './dialogs/give-dialog'
import { LoadDialog } from './dialogs/load-dialog'
import { NameDialog } from './dialogs/name-dialog'
import type { MapAction } from './map-actions'
import type { MapRow } from './row'
import { SyncDialog } from './sync/sync-dialog'

const HeatDialog = lazy(async () => ({ default: (await import('./heat/heat-dialog')).HeatDialog }))

/** A page of its own: it is printed. */
function ToSheets({ map, onClose }: { map: MapRow; onClose(): void }) {
  const go = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as it opens
  useEffect(() => {
    onClose()
    void go(sheetsPath(map.mapId))
  }, [])
  return null
}

const DIALOGS = {
  heat: (props) => (
    <Suspense>
      <HeatDialog {...props} />
    </Suspense>
  ),
  give: GiveDialog,
  sync: SyncDialog,
  load: LoadDialog,
  charger: ChargerDialog,
  name: NameDialog,
  download: DownloadDialog,
  sheets: ToSheets,
  delete: DeleteMap,
  forget: ForgetMap,
} as const satisfies Record<MapAction, (props: { map: MapRow; onClose(): void }) => React.ReactNode>

export interface Doing {
  readonly action: MapAction
  readonly map: MapRow
}

export function MapDialogs({ doing, onClose }: { doing: Doing | undefined; onClose(): void }) {
  if (!doing) return null
  const Dialog = DIALOGS[doing.action]
  return <Dialog key={doing.map.mapId} map={doing.map} onClose={onClose} />
}
