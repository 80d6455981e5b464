/** Planned, showing now, over: a shape and a word. */
import { IconClock, IconFlagCheck, IconPlayerPlayFilled } from '@tabler/icons-react'
import { useTranslation } from '@/shared/i18n/text'
import styles from './advert.module.css'
import type { Row } from './form'

export const STATES = ['showing', 'planned', 'over'] as const
const SHAPES = { showing: IconPlayerPlayFilled, planned: IconClock, over: IconFlagCheck }

export function AdvertState({ state }: { state: Row['state'] }) {
  const { t } = useTranslation('advert')
  const Shape = SHAPES[state]
  return (
    <span className={styles.state} data-state={state}>
      <Shape size={15} stroke={2} aria-hidden="true" />
      {t(`state-${state}`)}
    </span>
  )
}
