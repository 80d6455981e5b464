/**
 * Whom the page speaks to and what may be told it now. A command that the robot's generation does not have, or whose key
 * the account lacks, has no button at all; one that wants control, or a robot that answers, is greyed with the reason.
 */
import { Button, type ButtonProps } from 'antd'
import { createContext, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { COMMANDS } from '@/shared/relay/commands'
import type { Command } from '@/shared/relay/relay'
import { useSession } from '@/shared/rpc/session'
import type { Deeds } from './deeds'

export interface Scope {
  readonly deviceId: number
  readonly protocol: number
  readonly abilities: readonly string[]
  readonly mine: boolean
  readonly online: boolean
  readonly deeds: Deeds
}

const Given = createContext<Scope | undefined>(undefined)

export const ScopeOf = Given.Provider

export function useScope(): Scope {
  const scope = useContext(Given)
  if (!scope) throw new Error('outside a control page')
  return scope
}

export interface Way {
  readonly shown: boolean
  /** Why not now; '' when it can be told. */
  readonly blocked: string
}

/** `way('go_home')`: may it be told, and if not now, why. `locked`: where the table asks for control only in part. */
export function useWay(): (command: Command, locked?: boolean) => Way {
  const { t } = useTranslation('control')
  const { protocol, mine, online } = useScope()
  const keys = useSession()?.permissionKeys
  return (name, locked = COMMANDS[name].locked) => {
    const { since, needs } = COMMANDS[name]
    const shown = protocol >= since && keys?.[needs] === true
    if (!online) return { shown, blocked: t('robot-offline') }
    return { shown, blocked: locked && !mine ? t('needs-control') : '' }
  }
}

interface Props extends Omit<ButtonProps, 'disabled' | 'title'> {
  command: Command
  locked?: boolean
  /** Another reason why not now. */
  blocked?: string
}

export function DeedButton({ command, locked, blocked, ...button }: Props) {
  const way = useWay()(command, locked)
  if (!way.shown) return null
  const why = way.blocked || blocked || ''
  return <Button {...button} disabled={why !== ''} title={why} />
}
