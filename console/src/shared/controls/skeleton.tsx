/** Grey lines where words will stand. */
import styles from './skeleton.module.css'

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f']

/** Where a floor will be drawn; its box is positioned. */
export const FloorSkeleton = () => <i className={styles.floor} aria-hidden="true" />

export const Skeleton = () => (
  <div className={styles.skeleton} aria-hidden="true">
    {ROWS.map((row) => (
      <i key={row} />
    ))}
  </div>
)
