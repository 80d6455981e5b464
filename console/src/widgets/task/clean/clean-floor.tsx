/** "Clean rooms" of a floor that is shown in small: its button, and what a press on one of its rooms opens. */
import { IconDoor } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import type { Point } from '@/canvas/geometry/geometry'
import { Button } from '@/shared/controls/button'
import { useTranslation } from '@/shared/i18n/text'
import { useMay } from '@/shared/session/session'
import styles from './clean.module.css'
import type { FloorRobot } from './clean-dialog'

const CleanDialog = lazy(async () => ({ default: (await import('./clean-dialog')).CleanDialog }))

interface CleanFloor {
  /** Both undefined where nothing can be cleaned: for want of rooms, of robots or of a right. */
  readonly button: ReactNode
  readonly onTap: ((at: Point) => void) | undefined
  readonly dialog: ReactNode
}

export function useCleanFloor(label: string, robots: readonly FloorRobot[], rooms: readonly unknown[]): CleanFloor {
  const { t } = useTranslation('robot')
  const mayTask = useMay('device/taskList')
  const mayControl = useMay('device_control/index')
  const [open, setOpen] = useState<{ readonly at: Point | undefined }>()
  const tap = useCallback((at: Point) => setOpen({ at }), [])
  if (!mayTask || !mayControl || robots.length === 0 || rooms.length === 0)
    return { button: undefined, onTap: undefined, dialog: undefined }
  return {
    button: (
      <Button
        size="small"
        type="text"
        className={styles.open}
        icon={<IconDoor size={15} stroke={1.75} aria-hidden="true" />}
        aria-label={`${t('clean-rooms')}: ${label}`}
        title={t('clean-rooms')}
        onClick={() => setOpen({ at: undefined })}
      />
    ),
    onTap: tap,
    dialog: open && (
      <Suspense>
        <CleanDialog label={label} robots={robots} at={open.at} onClose={() => setOpen(undefined)} />
      </Suspense>
    ),
  }
}
