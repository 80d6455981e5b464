/** What the account's menu opens. */
import type { ComponentType } from 'react'
import { ClearDialog } from './clear-dialog'
import { DataDialog } from './data-dialog'
import { EndDialog } from './end-dialog'
import { OwnKeys } from './own-keys'
import { OwnPassword } from './own-password'
import { OwnPicture } from './own-picture'
import { OwnProfile } from './own-profile'
import { OwnSessions } from './own-sessions'
import { OwnSignOn } from './own-sign-on'
import { OwnSupport } from './own-support'

const DIALOGS = {
  'edit-profile': OwnProfile,
  avatar: OwnPicture,
  'change-password': OwnPassword,
  'own-sessions': OwnSessions,
  'api-keys': OwnKeys,
  'single-sign-on': OwnSignOn,
  'clear-token': ({ onClose }) => <EndDialog row={null} onClose={onClose} />,
  'support-access': OwnSupport,
  'personal-data': ({ onClose }) => <DataDialog row={null} onClose={onClose} />,
  'clear-data': ClearDialog,
} satisfies Record<string, ComponentType<{ onClose(): void }>>

export type OwnDeed = keyof typeof DIALOGS

export function OwnDialogs({ deed, onClose }: { deed: OwnDeed; onClose(): void }) {
  const Dialog = DIALOGS[deed]
  return <Dialog onClose={onClose} />
}
