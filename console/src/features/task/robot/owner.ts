import type { Commanded } from '@/widgets/robot/robot'

/** The robot whose things are shown. */
export interface Owner extends Commanded {
  readonly deviceId: number
  readonly deviceCode: string
  readonly abilities: readonly string[]
  /** For whom it works; '' for nobody. */
  readonly customerName: string
  readonly online: boolean
}
