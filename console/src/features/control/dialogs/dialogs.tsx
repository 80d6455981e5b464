/** The dialogs of a control page: they come together, when the first one is asked for. */
import type { Point } from '@/canvas/geometry/geometry'
import { BuildDialog } from './build-dialog'
import { DoorsDialog } from './doors-dialog'
import { ParamsDialog } from './params-dialog'
import { RebootDialog } from './reboot-dialog'
import { RecordDialog } from './record-dialog'
import { SensorsDialog } from './sensors-dialog'
import { Speak } from './speak'
import { UtilitiesDialog } from './utilities-dialog'

const PLAIN = {
  params: ParamsDialog,
  utilities: UtilitiesDialog,
  sensors: SensorsDialog,
  reboot: RebootDialog,
  record: RecordDialog,
  speak: Speak,
} as const
export type Dialog = keyof typeof PLAIN | 'build' | 'doors'

interface Props {
  dialog: Dialog
  mapName: string
  onShow(at: Point): void
  onClose(): void
}

export function Dialogs({ dialog, mapName, onShow, onClose }: Props) {
  if (dialog === 'doors') return <DoorsDialog mapName={mapName} onShow={onShow} onClose={onClose} />
  if (dialog === 'build') return <BuildDialog mapName={mapName} onClose={onClose} />
  const Dialog = PLAIN[dialog]
  return <Dialog onClose={onClose} />
}
