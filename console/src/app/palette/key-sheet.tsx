/** The keys of what is shown now: the same array that they run by. */
import { useTranslation } from '@/shared/i18n/text'
import { setPreference, usePreference } from '@/shared/theme/preferences'
import { currentActions } from '@/widgets/actions/actions'
import { Keys } from '@/widgets/actions/keys'
import { Box } from './palette'
import styles from './palette.module.css'
import { SEARCH_KEY } from './search-key'

export function KeySheet({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('palette')
  const byLetter = usePreference(SEARCH_KEY, false)
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
      <label className={styles.choice}>
        <input
          type="checkbox"
          checked={byLetter}
          onChange={({ target }) => setPreference(SEARCH_KEY, target.checked)}
        />
        {t('key-s')}
      </label>
      <button type="button" className={styles.close} onClick={onClose}>
        {t('common:close')}
      </button>
    </Box>
  )
}
