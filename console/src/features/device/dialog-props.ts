import type { Listed } from '@/widgets/robot/robot'

/** What every dialog about a robot is given. */
export interface DialogProps {
  row: Listed
  onClose(): void
}
