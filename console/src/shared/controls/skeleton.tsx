/** Grey lines where words will stand. */
import styles from './skeleton.module.css'

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f']

export const Skeleton = () => (
  <div className={styles.skeleton} aria-hidden="true">
    {ROWS.map((row) => (
      <i key={row} />
    ))}
  </div>
)
