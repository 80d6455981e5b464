/**
 * What can be done with a robot, and with the whole list: menus, cards, tables and permissions read these two arrays.
 * A dialog is loaded when somebody opens it.
 */

import {
  type Icon,
  IconBrush,
  IconCalendarRepeat,
  IconCategory,
  IconKey,
  IconPencil,
  IconPlus,
  IconSpeakerphone,
  IconTableImport,
  IconTicket,
  IconTool,
  IconTrash,
  IconUserCog,
  IconUserShare,
  IconVideo,
} from '@tabler/icons-react'
import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { Pack, TextKey } from '@/shared/i18n/text'
import { COMMANDS } from '@/shared/relay/commands'
import { withAntd } from '@/shared/theme/with-antd'
import { has, type Listed } from '@/widgets/robot/robot'
import type { DialogProps } from './dialog-props'

interface MenuEntry<P> {
  readonly key: string
  /** Key of its text. */
  readonly word: TextKey<'device'>
  readonly icon: Icon
  /** Any of these permission keys. */
  readonly needs: readonly string[]
  readonly danger?: true
  /** Where a robot cannot do it, it is not offered: see `can` in widgets/robot. */
  readonly fits?: (row: Listed) => boolean
  readonly Dialog: LazyExoticComponent<ComponentType<P>>
}

export type Action = MenuEntry<DialogProps>
export type Tool = MenuEntry<Pick<DialogProps, 'onClose'>>

/** A dialog with its packs of texts, and with Ant Design, which draws it. */
export const withTexts =
  (...packs: readonly Pack[]) =>
  <P extends object>(load: () => Promise<ComponentType<P>>) =>
    lazy(async () => {
      const { loadTexts } = await import('@/shared/i18n/i18n')
      const [Dialog] = await Promise.all([withAntd(load), loadTexts(...packs)])
      return { default: Dialog }
    })

const asset = withTexts('asset')
const upkeep = withTexts('upkeep')
const fleet = withTexts('asset', 'fleet')

export const ACTIONS: readonly Action[] = [
  {
    key: 'video',
    word: 'common:live-video',
    icon: IconVideo,
    needs: ['device/videoHistory/live'],
    Dialog: withTexts('video')(async () => (await import('./live-video')).LiveVideo),
  },
  {
    key: 'speak',
    word: 'robot:speak',
    icon: IconSpeakerphone,
    needs: [COMMANDS.robot_speak.needs],
    fits: (row) => has(row, 'robot_speak'),
    Dialog: withTexts('robot')(async () => (await import('./speak')).Speak),
  },
  {
    key: 'edit',
    word: 'edit',
    icon: IconPencil,
    needs: ['device/index/edit'],
    Dialog: asset(async () => (await import('./registration/edit-dialog')).EditDialog),
  },
  {
    key: 'owner',
    word: 'edit-owner',
    icon: IconUserCog,
    needs: ['device/index/edit_owner'],
    Dialog: asset(async () => (await import('./registration/owner-dialog')).OwnerDialog),
  },
  {
    key: 'bind',
    word: 'bind-user',
    icon: IconUserShare,
    needs: ['device/index/bind_user'],
    Dialog: asset(async () => (await import('./registration/bind-dialog')).BindDialog),
  },
  {
    key: 'hardware',
    word: 'edit-hardware',
    icon: IconTool,
    needs: ['device/index/edit_hardware'],
    Dialog: asset(async () => (await import('./parts/hardware-dialog')).HardwareDialog),
  },
  {
    key: 'consumables',
    word: 'consumable',
    icon: IconBrush,
    needs: ['device/index/consumables'],
    Dialog: upkeep(async () => (await import('./parts/consumables-dialog')).ConsumablesDialog),
  },
  {
    key: 'maintenance',
    word: 'maintenance',
    icon: IconCalendarRepeat,
    needs: ['device/index/maintenance'],
    Dialog: upkeep(async () => (await import('./parts/maintenance-dialog')).MaintenanceDialog),
  },
  {
    key: 'password',
    word: 'device-password',
    icon: IconKey,
    needs: ['device/index/view_password', 'device/index/reset_password'],
    Dialog: asset(async () => (await import('./registration/password-dialog')).PasswordDialog),
  },
  {
    key: 'delete',
    word: 'delete',
    icon: IconTrash,
    needs: ['device/index/delete'],
    danger: true,
    Dialog: asset(async () => (await import('./registration/delete-dialog')).DeleteDialog),
  },
]

export const TOOLS: readonly Tool[] = [
  {
    key: 'types',
    word: 'device-type',
    icon: IconCategory,
    needs: ['device/index/type_admin'],
    Dialog: asset(async () => (await import('./registration/types-dialog')).TypesDialog),
  },
  {
    key: 'code',
    word: 'authorisation-code',
    icon: IconTicket,
    needs: ['device/index/authCode'],
    Dialog: asset(async () => (await import('./registration/code-dialog')).CodeDialog),
  },
  {
    key: 'import',
    word: 'import',
    icon: IconTableImport,
    needs: ['device/index/add'],
    Dialog: fleet(async () => (await import('./registration/import-dialog')).ImportDialog),
  },
  {
    key: 'add',
    word: 'add-device',
    icon: IconPlus,
    needs: ['device/index/add'],
    Dialog: asset(async () => (await import('./registration/edit-dialog')).AddDialog),
  },
]
