/** Each mode's word and colour. Names of keys in `common` or `shell`. */

import { useTranslation } from '../i18n/text'
import { isKeyOf } from '../keys'
import type { Mode } from '../live/frames'

export const MODE_WORD = {
  help: 'shell:mode-help',
  emergency: 'emergency-stop',
  paused: 'paused',
  manual: 'manual-mode',
  cleaning: 'shell:mode-cleaning',
  moving: 'shell:mode-moving',
  riding: 'in-elevator',
  charging: 'charging',
  idle: 'idle',
  offline: 'offline',
} as const satisfies Record<Mode, string>

/** The state colour that a mode borrows: `var(--state-<tone>)`. */
export const MODE_TONE = {
  help: 'help',
  emergency: 'paused',
  paused: 'paused',
  manual: 'manual',
  cleaning: 'cleaning',
  moving: 'moving',
  riding: 'moving',
  charging: 'charging',
  idle: 'idle',
  offline: 'offline',
} as const satisfies Record<Mode, string>

/** What a mode is said by; `cleanMode`: what the robot works with. */
export interface Moded {
  readonly mode: Mode
  readonly modeName?: string
  readonly cleanMode?: string
}

const CLEAN_WORD = { carpet: 'mode-carpet', quiet: 'mode-quiet' } as const

/** `word(row)`: the mode's word, or the robot's own where it has one that is not listed; of cleaning also what with. */
export function useModeWord() {
  const { t } = useTranslation('common')
  return ({ mode, modeName, cleanMode = '' }: Moded): string => {
    if (mode === 'idle' && modeName) return modeName
    const word = t(MODE_WORD[mode])
    return mode === 'cleaning' && isKeyOf(CLEAN_WORD, cleanMode) ? `${word} · ${t(CLEAN_WORD[cleanMode])}` : word
  }
}
