/** A stroke of keys as people know them: Ctrl Z, with the sign of Command on a Mac. */
import { isMac } from './actions'
import styles from './keys.module.css'

const NAMES: Readonly<Record<string, string>> = { ctrl: 'Ctrl', shift: '⇧', alt: 'Alt', Escape: 'Esc', Delete: 'Del' }

export const Keys = ({ chord }: { chord: string }) => (
  <span className={styles.keys}>
    <bdi dir="ltr">
      {chord.split(/\+(?=.)/).map((key) => (
        <kbd key={key}>
          {key === 'ctrl' && isMac() ? '⌘' : (NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key))}
        </kbd>
      ))}
    </bdi>
  </span>
)
