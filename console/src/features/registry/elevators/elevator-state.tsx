/** How a lift stands now: floor and door, who holds it, who waits, and why it does not obey. */

import { IconArrowRight, IconDoorExit, IconLock } from '@tabler/icons-react'
import { Fragment } from 'react'
import { type TextKey, textOr, useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { Text } from '@/shared/ui/layout'
import { refusalKey } from '@/widgets/refusal-text'
import styles from './elevator.module.css'

export type ElevatorRow = Answer<'/elevator/list'>['list'][number]

const DOOR: Readonly<Record<string, TextKey<'registry'>>> = {
  open: 'door-open',
  closed: 'door-closed',
  between: 'door-between',
}

export function useReason() {
  const { t } = useTranslation('registry')
  const { t: ofRobot } = useTranslation('robot')
  return (reason: string) => {
    if (reason === 'done') return t('ride-done')
    const key = refusalKey({ reason, message: '' })
    return key ? ofRobot(key) : reason
  }
}

/** In a cell of the list; empty before the first ride. */
export function ElevatorState({ elevator }: { elevator: ElevatorRow }) {
  const { t } = useTranslation('registry')
  const { live } = elevator
  const why = useReason()
  const door = DOOR[live.door]
  return (
    <span className={styles.now}>
      {elevator.outOfService && (
        <Text as="span" tone="paused">
          <IconLock size={15} stroke={1.75} />
          {t('lift-out')}
          {elevator.outReason && <small>{elevator.outReason}</small>}
        </Text>
      )}
      {live.floor || live.bound ? (
        <span>
          <bdi>{live.floor || '…'}</bdi>
          {live.bound && (
            <>
              <IconArrowRight data-flip size={14} stroke={1.75} />
              <bdi>{live.bound}</bdi>
            </>
          )}
          {door && <small>{t(door)}</small>}
        </span>
      ) : (
        !elevator.outOfService && <small>{t('lift-unseen')}</small>
      )}
      {live.holder && (
        <span>
          <bdi>{live.holder}</bdi>
          <small>{textOr(t, `phase-${live.phase}`, live.phase)}</small>
        </span>
      )}
      {live.occupant && live.occupant !== live.holder && (
        <Text as="span" tone="help">
          <IconDoorExit size={15} stroke={1.75} />
          <bdi>{live.occupant}</bdi>
          <small>{t('lift-occupant')}</small>
        </Text>
      )}
      {live.queue.length > 0 && (
        <span>
          <small>{t('lift-queue')}</small>
          {live.queue.map((robot, n) => (
            <Fragment key={robot}>
              {n > 0 && <small aria-hidden="true">·</small>}
              <bdi>{robot}</bdi>
            </Fragment>
          ))}
        </span>
      )}
      {live.trouble && (
        <Text as="span" tone="help">
          {why(live.trouble)}
        </Text>
      )}
    </span>
  )
}
