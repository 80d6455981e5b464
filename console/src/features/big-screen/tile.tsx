/** A part of the wall: what it is, how old what it shows is, and what it shows. */
import type { ReactNode } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useNow } from '@/shared/live/live'
import { Row, Text } from '@/shared/ui/layout'
import styles from './big-screen.module.css'

interface Props {
  title: ReactNode
  /** At the end of the head. */
  extra?: ReactNode
  /** When what it shows was true, ms. */
  at: number
  className?: string | undefined
  alert?: boolean
  children: ReactNode
}

const AGE_STEP_MS = 10_000

export function Tile({ title, extra, at, className, alert, children }: Props) {
  return (
    <section className={`${styles.tile} ${className ?? ''}`} data-alert={alert || undefined}>
      <Row as="header" gap="m" align="baseline" className={styles.tileHead}>
        <h2>{title}</h2>
        <Age at={at} />
        {extra !== undefined && (
          <Text as="div" strong end>
            {extra}
          </Text>
        )}
      </Row>
      {children}
    </section>
  )
}

function Age({ at }: { at: number }) {
  const { t } = useTranslation('wall')
  const { span } = useFormats()
  const now = useNow(AGE_STEP_MS)
  if (at === 0) return null
  return (
    <small className={styles.age} title={t('age')}>
      <span className="unseen">{t('age')}: </span>
      {span(Math.max(0, Math.floor((now - at) / 1000) * 1000))}
    </small>
  )
}
