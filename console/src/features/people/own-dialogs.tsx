/** What the account's menu opens. */
import { EndDialog } from './end-dialog'
import { OwnPassword } from './own-password'

export type OwnDeed = 'change-password' | 'clear-token'

export function OwnDialogs({ deed, onClose }: { deed: OwnDeed; onClose(): void }) {
  return deed === 'change-password' ? <OwnPassword onClose={onClose} /> : <EndDialog row={null} onClose={onClose} />
}
