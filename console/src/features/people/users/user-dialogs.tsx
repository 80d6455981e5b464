/** The dialog of whatever is being done with an account. */
import { type ReactNode, useState } from 'react'
import { DataDialog } from '@/widgets/person/data-dialog'
import { EndDialog } from '@/widgets/person/end-dialog'
import type { UserRow } from '@/widgets/person/person'
import { PermissionDialog } from '../roles/permission-dialog'
import { BindDialog } from './bind-dialog'
import { DeleteDialog } from './delete-dialog'
import { CutDialog } from './disconnect-dialog'
import { EditDialog } from './edit-dialog'
import { InitialDialog } from './initial-dialog'
import type { OnUserAction, UserAction } from './user-actions'

const DIALOGS = {
  edit: EditDialog,
  permission: PermissionDialog,
  bind: BindDialog,
  password: InitialDialog,
  cut: CutDialog,
  end: EndDialog,
  data: DataDialog,
  delete: DeleteDialog,
} as const satisfies Record<UserAction, unknown>

export function useDialogs(): { onAction: OnUserAction; dialogs: ReactNode } {
  const [at, setAt] = useState<{ action: UserAction; row: UserRow }>()
  const Dialog = at && DIALOGS[at.action]
  return {
    onAction: (action, row) => setAt({ action, row }),
    dialogs: at && Dialog && <Dialog row={at.row} onClose={() => setAt(undefined)} />,
  }
}
