/** How many robots there are, and in which states. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Mode } from '@/shared/live/frames'
import { useCounts } from '@/shared/live/live'
import { MODE_WORD } from '@/shared/marks/mode'
import { StateMark } from '@/shared/marks/state-mark'
import { Row, Text } from '@/shared/ui/layout'
import styles from './big-screen.module.css'

const ORDER: readonly Mode[] = ['cleaning', 'moving', 'charging', 'idle', 'paused', 'help', 'offline']
/** Shown only while a robot is so, in place of nothing. */
const RARE: readonly Mode[] = ['emergency', 'manual', 'riding']

export function FleetBand({ sites }: { sites: number }) {
  const { t } = useTranslation('wall')
  const { number } = useFormats()
  const counts = useCounts()
  const modes = [...ORDER, ...RARE.filter((mode) => counts?.modes[mode])]
  return (
    <section className={styles.band}>
      <div className={styles.fleet}>
        <b>{number(counts?.total ?? 0)}</b>
        <Text tone="quiet" cut>
          {t('robots-at-sites', { count: counts?.total ?? 0, sites: t('sites', { count: sites }) })}
        </Text>
      </div>
      <ul aria-label={t('by-state')}>
        {modes.map((mode) => {
          const count = counts?.modes[mode] ?? 0
          return (
            <Row
              as="li"
              key={mode}
              gap="l"
              align="center"
              justify="center"
              data-hot={((mode === 'help' || mode === 'emergency') && count > 0) || undefined}
              data-none={count === 0 || undefined}
            >
              <StateMark state={mode} size={28} />
              <span>
                <b>{number(count)}</b>
                <span>{t(MODE_WORD[mode])}</span>
              </span>
            </Row>
          )
        })}
      </ul>
    </section>
  )
}
