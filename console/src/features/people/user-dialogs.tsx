/** The dialog of whatever is being done with an account. */
import { type ReactNode, useState } from 'react'
import { BindDialog } from './bind-dialog'
import { CutDialog } from './cut-dialog'
import { DataDialog } from './data-dialog'
import type { Deed, OnDeed } from './deeds'
import { DeleteDialog } from './delete-dialog'
import { EditDialog } from './edit-dialog'
import { EndDialog } from './end-dialog'
import { InitialDialog } from './initial-dialog'
import { PermissionDialog } from './permission-dialog'
import type { UserRow } from './person'

const DIALOGS = {
  edit: EditDialog,
  permission: PermissionDialog,
  bind: BindDialog,
  password: InitialDialog,
  cut: CutDialog,
  end: EndDialog,
  data: DataDialog,
  delete: DeleteDialog,
} as const satisfies Record<Deed, unknown>

export function useDialogs(): { onDeed: OnDeed; dialogs: ReactNode } {
  const [at, setAt] = useState<{ deed: Deed; row: UserRow }>()
  const Dialog = at && DIALOGS[at.deed]
  return {
    onDeed: (deed, row) => setAt({ deed, row }),
    dialogs: at && Dialog && <Dialog row={at.row} onClose={() => setAt(undefined)} />,
  }
}
