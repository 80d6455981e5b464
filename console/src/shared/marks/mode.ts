/** Each mode's word and colour. Names of keys in `common` or `shell`. */
import { useTranslation } from '../i18n/text'
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

/** `word(row)`: the mode's word, or the robot's own where it has one that is not listed. */
export function useModeWord() {
  const { t } = useTranslation('common')
  return ({ mode, modeName }: { readonly mode: Mode; readonly modeName?: string }): string =>
    mode === 'idle' && modeName ? modeName : t(MODE_WORD[mode])
}
