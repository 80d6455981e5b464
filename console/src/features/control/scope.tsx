/**
 * The robot of the page and what may be sent to it now. A command that the robot does not have, or whose key
 * the account lacks, has no button at all; one that wants control, or a robot that answers, is greyed with the reason.
 */
import { Button, type ButtonProps } from 'antd'
import { createContext, type ReactNode, useContext } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { COMMANDS } from '@/shared/relay/commands'
import type { Command } from '@/shared/relay/contract'
import { useSession } from '@/shared/session/session'
import { useActions } from '@/widgets/actions/actions'
import { has } from '@/widgets/robot/robot'
import type { RobotActions } from './robot-actions'

export interface Scope {
  readonly deviceId: number
  readonly protocol: number
  readonly abilities: readonly string[]
  /** That the robot has, by name; null: all of its protocol. */
  readonly commands: readonly string[] | null
  readonly inControl: boolean
  /** Takes control where nobody has it; missing where somebody has. */
  readonly takeControl?: (() => Promise<boolean>) | undefined
  readonly online: boolean
  readonly actions: RobotActions
}

const Given = createContext<Scope | undefined>(undefined)

export const ScopeOf = Given.Provider

export function useScope(): Scope {
  const scope = useContext(Given)
  if (!scope) throw new Error('outside a control page')
  return scope
}

export interface Way {
  readonly available: boolean
  /** Why not now; '' when it can be sent. */
  readonly blocked: string
}

/** `way('go_home')`: may it be sent, and if not now, why. `locked`: where the table asks for control only in part. */
export function useWay(): (command: Command, locked?: boolean) => Way {
  const { t } = useTranslation('control')
  const { protocol, commands, inControl, online } = useScope()
  const keys = useSession()?.permissionKeys
  return (name, locked = COMMANDS[name].locked) => {
    const available = has({ protocolVersion: protocol, commands }, name) && keys?.[COMMANDS[name].needs] === true
    if (!online) return { available, blocked: t('robot-offline') }
    return { available, blocked: locked && !inControl ? t('needs-control') : '' }
  }
}

interface Props extends Omit<ButtonProps, 'disabled' | 'title' | 'onClick' | 'children'> {
  command: Command
  locked?: boolean
  /** Another reason why not now. */
  blocked?: string
  /** What it does, in the palette, too. */
  label: string
  /** Missing where it sends the form that it stands in. */
  onClick?(): unknown
  /** Beside its label. */
  children?: ReactNode
}

/** A button of the page, and an action of the palette: neither is there where the command may never be sent. */
export function CommandButton({ command, locked, blocked, label, onClick, children, ...button }: Props) {
  const way = useWay()(command, locked)
  const why = way.blocked || blocked || ''
  const run = onClick && (() => void onClick())
  useActions(way.available && run ? [{ id: command, label, blocked: () => why, run }] : [])
  if (!way.available) return null
  return (
    <Button {...button} disabled={why !== ''} title={why} {...(run && { onClick: run })}>
      {label} {children}
    </Button>
  )
}
