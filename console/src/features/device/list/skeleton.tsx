/** The wall of cards while its first page is on the way. */
import { Panel } from '@/shared/ui/panel'
import styles from './skeleton.module.css'

const CARDS = 8

export function CardsSkeleton() {
  return (
    <div className={styles.wall} aria-hidden="true">
      {Array.from({ length: CARDS }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all alike
        <Panel key={i} className={styles.card}>
          <div className={styles.floor} />
        </Panel>
      ))}
    </div>
  )
}
