/** Levels and preset roles by their words of the glossary; which level makes which, and may search which. */
import type { TextKey } from '@/shared/i18n/text'
import { CREATES, DEFAULT_ROLE, SEARCHES, STAFF } from '@/shared/rpc/people'

const LEVEL_WORDS = ['level-admin', 'level-dealer', 'level-user', 'level-sub-user', 'level-sub-sub-user'] as const
const ROLE_WORDS: Readonly<Record<number, TextKey<'people'>>> = {
  10: 'role-admin',
  11: 'role-ordinary-user',
  13: 'role-software',
  14: 'role-hardware',
  15: 'role-manufacturing',
  16: 'role-dealer',
  17: 'role-after-sales',
  18: 'role-operations',
}

const ADD_WORDS: Readonly<Record<number, TextKey<'people'>>> = { 2: 'add-dealer', 3: 'add-user', 4: 'add-sub-user' }

const of = <T>(table: Readonly<Record<number, T>>, key: number): T | undefined => table[key]

export const levelWord = (level: number) => LEVEL_WORDS[level - 1] ?? 'level-sub-sub-user'
/** On the button that makes one. */
export const addWord = (level: number) => ADD_WORDS[level] ?? 'add'
export const roleWord = (role: number) => ROLE_WORDS[role]

/** The level of the accounts that one of this level makes; undefined: it makes none. */
export const createdBy = (level: number): number | undefined => of<number>(CREATES, level)
export const searchedBy = (level: number): readonly number[] => of<readonly number[]>(SEARCHES, level) ?? []
export const defaultRole = (level: number): number | undefined => of<number>(DEFAULT_ROLE, level)
export const isStaff = (roles: readonly number[]) => roles.some((role) => STAFF.some((staff) => staff === role))
