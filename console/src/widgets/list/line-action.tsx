/** One of the actions at the end of a line: a mark that says its name, and to the screen reader also whose line it is. */
import type { Icon } from '@tabler/icons-react'
import { Button } from '@/shared/controls/button'
import { Tooltip } from '@/shared/controls/tooltip'

interface Props {
  icon: Icon
  label: string
  name: string
  danger?: boolean
  onClick(): void
}

export const LineAction = ({ icon: Mark, label, name, danger = false, onClick }: Props) => (
  <Tooltip title={label}>
    <Button
      type="text"
      size="small"
      danger={danger}
      icon={<Mark size={17} stroke={1.75} />}
      aria-label={`${label}: ${name}`}
      onClick={onClick}
    />
  </Tooltip>
)
