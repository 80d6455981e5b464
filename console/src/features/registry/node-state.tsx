/** Whether a node is up, by what its relay says of itself: a shape, a word, and since when. */

import { IconCircleCheckFilled, IconCircleDashed, IconCircleXFilled } from '@tabler/icons-react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { Row } from '@/shared/ui/layout'

export type NodeRow = Answer<'/wmDeviceHostInfo/queryByPage'>['list'][number]

const TONES = { up: 'cleaning', down: 'help', unknown: undefined } as const
const MARKS = { up: IconCircleCheckFilled, down: IconCircleXFilled, unknown: IconCircleDashed } as const

export function NodeState({ row }: { row: Pick<NodeRow, 'state' | 'since'> }) {
  const { t } = useTranslation('registry')
  const { dateTime } = useFormats()
  const Mark = MARKS[row.state]
  return (
    <Row as="span" inline gap="s" align="center" tone={TONES[row.state]}>
      <Mark size={15} aria-hidden="true" />
      {t(`node-${row.state}`, { since: row.since ? dateTime(row.since) : '' })}
    </Row>
  )
}
