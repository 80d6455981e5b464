/**
 * Whom the page speaks to and what may be told it now. A command that the robot's generation does not have, or whose key
 * the account lacks, has no button at all; one that wants control, or a robot that answers, is greyed with the reason.
 */
import { Button, type ButtonProps } from 'antd'
import { createContext, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { COMMANDS } from '@/shared/relay/commands'
import type { Command } from '@/shared/relay/contract'
import { useSession } from '@/shared/session/session'
import type { RobotActions } from './robot-actions'

export interface Scope {
  readonly deviceId: number
  readonly protocol: number
  readonly abilities: readonly string[]
  readonly inControl: boolean
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
  /** Why not now; '' when it can be told. */
  readonly blocked: string
}

/** `way('go_home')`: may it be told, and if not now, why. `locked`: where the table asks for control only in part. */
export function useWay(): (command: Command, locked?: boolean) => Way {
  const { t } = useTranslation('control')
  const { protocol, inControl, online } = useScope()
  const keys = useSession()?.permissionKeys
  return (name, locked = COMMANDS[name].locked) => {
    const { since, needs } = COMMANDS[name]
    const available = protocol >= since && keys?.[needs] === true
    if (!online) return { available, blocked: t('robot-offline') }
    return { available, blocked: locked && !inControl ? t('needs-control') : '' }
  }
}

interface Props extends Omit<ButtonProps, 'disabled' | 'title'> {
  command: Command
  locked?: boolean
  /** Another reason why not now. */
  blocked?: string
}

export function CommandButton({ command, locked, blocked, ...button }: Props) {
  const way = useWay()(command, locked)
  if (!way.available) return null
  const why = way.blocked || blocked || ''
  return <Button {...button} disabled={why !== ''} title={why} />
}
