/** The states of a few robots as marks, who needs somebody first. */

import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Mode } from '@/shared/live/frames'
import { useRobotParts } from '@/shared/live/live'
import { MODES } from '@/shared/live/telemetry'
import { MODE_WORD } from '@/shared/marks/mode'
import { StateMark } from '@/shared/marks/state-mark'
import { Row } from '@/shared/ui/layout'

const MOST_MARKS = 8 // above this, each state once with its count

/** Modes of these robots in the order of need; changes only when one of them does. */
export function useModes(ids: readonly number[]): readonly Mode[] {
  const modes = useRobotParts(ids, ({ mode }) => mode)
  return modes.flatMap((mode) => mode ?? []).sort((a, b) => MODES.indexOf(a) - MODES.indexOf(b))
}

export function Marks({ modes, size = 16 }: { modes: readonly Mode[]; size?: number }) {
  const { t } = useTranslation('common')
  const { number } = useFormats()
  const many = modes.length > MOST_MARKS
  const marks = many ? [...new Set(modes)] : modes
  return (
    <Row as="span" inline gap="xs" size="small" tone="quiet">
      {marks.map((mode, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: equal marks are interchangeable
        <Row as="span" inline gap="xxs" align="center" key={i}>
          <StateMark state={mode} size={size} label={t(MODE_WORD[mode])} />
          {many && number(modes.filter((m) => m === mode).length)}
        </Row>
      ))}
    </Row>
  )
}
