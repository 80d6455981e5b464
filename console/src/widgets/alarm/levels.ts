/** Levels of alarms, 4 is the gravest, and their texts. */
import type { Keys } from '@/shared/i18n/keys'

export const LEVELS = [1, 2, 3, 4] as const

export const LEVEL_WORDS: Readonly<Record<number, Keys['common']>> = {
  ...{ 1: 'level-info', 2: 'level-minor', 3: 'level-major', 4: 'level-critical' },
}
