/** What the account's menu opens. */
import type { ComponentType } from 'react'
import { DataDialog } from '@/widgets/person/data-dialog'
import { EndDialog } from '@/widgets/person/end-dialog'
import { ApiKeys } from './api-keys'
import { ChangePassword } from './change-password'
import { ClearDialog } from './clear-dialog'
import { Letterhead } from './letterhead/letterhead-dialog'
import { Profile } from './profile'
import { ProfilePicture } from './profile-picture'
import { Sessions } from './sessions'
import { SignOn } from './sign-on'
import { SupportAccess } from './support-access'
import { TabletBranding } from './tablet/branding-dialog'
import { Webhooks } from './webhooks/webhooks'

const DIALOGS = {
  'edit-profile': Profile,
  avatar: ProfilePicture,
  'change-password': ChangePassword,
  'own-sessions': Sessions,
  'api-keys': ApiKeys,
  webhooks: Webhooks,
  'single-sign-on': SignOn,
  'clear-token': ({ onClose }) => <EndDialog row={null} onClose={onClose} />,
  'tablet-customisation': TabletBranding,
  letterhead: Letterhead,
  'support-access': SupportAccess,
  'personal-data': ({ onClose }) => <DataDialog row={null} onClose={onClose} />,
  'clear-data': ClearDialog,
} satisfies Record<string, ComponentType<{ onClose(): void }>>

export type AccountAction = keyof typeof DIALOGS

export function AccountDialogs({ action, onClose }: { action: AccountAction; onClose(): void }) {
  const Dialog = DIALOGS[action]
  return <Dialog onClose={onClose} />
}
