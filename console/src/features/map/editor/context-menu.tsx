/** What can be done with what is chosen, at the pointer: the same actions as by keys and in the palette. */
import { Dropdown } from 'antd'
import { type ReactNode, useState } from 'react'
import { Row } from '@/shared/ui/layout'
import type { PageAction } from '@/widgets/actions/actions'
import { Keys } from '@/widgets/actions/keys'

const OFFERED = ['duplicate', 'copy', 'paste', 'merge', 'delete', 'select-all']

export function ContextMenu({ actions, children }: { actions: readonly PageAction[]; children: ReactNode }) {
  const [open, setOpen] = useState(false) // the items are of the moment in which it opens
  const offered = OFFERED.flatMap((id) => actions.filter((action) => action.id === id && !action.blocked?.()))
  const items = open
    ? offered.map(({ id, label, keys = [] }) => ({
        key: id,
        danger: id === 'delete',
        label: (
          <Row as="span" gap="xxl" justify="between">
            {label}
            {keys[0] && <Keys chord={keys[0]} />}
          </Row>
        ),
      }))
    : []
  return (
    <Dropdown
      trigger={['contextMenu']}
      onOpenChange={setOpen}
      menu={{ items, onClick: ({ key }) => offered.find(({ id }) => id === key)?.run() }}
    >
      {children}
    </Dropdown>
  )
}
