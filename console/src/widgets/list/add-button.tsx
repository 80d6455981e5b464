/** The one primary button of a list: something new. */
import { IconPlus } from '@tabler/icons-react'
import { Button } from '@/shared/controls/button'

export const AddButton = ({ onClick, children }: { onClick(): void; children: string }) => (
  <Button type="primary" icon={<IconPlus size={17} stroke={2} />} onClick={onClick}>
    {children}
  </Button>
)
