/** The keys of what is shown now: the same array that they run by. */
import { useTranslation } from '@/shared/i18n/text'
import { currentActions } from '@/widgets/actions/actions'
import { Keys } from './keys'
import { Box } from './palette'
import styles from './palette.module.css'

export function KeySheet({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('palette')
  const actions = currentActions().filter(({ keys }) => keys && keys.length > 0)
  return (
    <Box label={t('shortcuts')} onClose={onClose}>
      <h2 className={styles.title}>{t('shortcuts')}</h2>
      <dl className={styles.sheet}>
        {actions.map(({ id, label, keys }) => (
          <div key={id}>
            <dt>{label}</dt>
            <dd>{keys?.[0] && <Keys chord={keys[0]} />}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className={styles.close} onClick={onClose}>
        {t('common:close')}
      </button>
    </Box>
  )
}
