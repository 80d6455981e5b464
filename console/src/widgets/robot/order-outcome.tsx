/** What came of an order to several robots: how many obey, and each that does not with why. */
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { refusalKey } from '../refusal-text'
import styles from './order-outcome.module.css'

export type Ordered = Answer<'/device/sendHome'>

function useOrderRefusal() {
  const { t } = useTranslation('robot')
  return ({ outcome, reason }: Ordered['list'][number]) => {
    if (outcome !== 'refuses') return t(outcome === 'offline' ? 'offline' : 'send-home-silent')
    return t(refusalKey({ reason, message: '' }) ?? 'no-robot-failed')
  }
}

/** `done`: how many obey, in a sentence. */
export function OrderOutcome({ done, ordered }: { done: string; ordered: Ordered }) {
  const why = useOrderRefusal()
  return (
    <RefusedList
      done={done}
      refused={ordered.list
        .filter(({ outcome }) => outcome !== 'obeys')
        .map((robot) => ({ id: robot.deviceId, name: robot.deviceCode, why: why(robot) }))}
    />
  )
}

interface ListProps {
  done: string
  refused: readonly { readonly id: number; readonly name: string; readonly why: string }[]
}

export const RefusedList = ({ done, refused }: ListProps) => (
  <div role="status">
    <p>
      <b>{done}</b>
    </p>
    <ul className={styles.refused}>
      {refused.map(({ id, name, why }) => (
        <li key={id}>
          <bdi>{name}</bdi>
          <span>{why}</span>
        </li>
      ))}
    </ul>
  </div>
)
