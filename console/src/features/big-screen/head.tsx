/** Whose fleet it is, whether the picture is live, and the time. Tools come while the pointer moves. */
import { IconArrowLeft, IconLink, IconMaximize, IconMinimize, IconMoon } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useConnection, useNow } from '@/shared/live/live'
import { Logo } from '@/shared/marks/logo'
import { useSession } from '@/shared/session/session'
import { withAntd } from '@/shared/theme/with-antd'
import { useFullScreen } from '@/shared/ui/full-screen'
import { Row, Text } from '@/shared/ui/layout'
import styles from './big-screen.module.css'
import { type Dimming, usePointerMoves } from './upkeep'

const LinkDialog = lazy(async () => ({
  default: await withAntd(async () => (await import('./link-dialog')).LinkDialog),
}))

export function Head({ name, dim }: { name: string | undefined; dim: Dimming }) {
  const { date, time } = useFormats()
  const now = useNow()
  return (
    <Row as="header" gap="l" align="center" className={styles.head}>
      <Logo size={32} />
      <h1>
        Lustra{' '}
        <Text as="bdi" tone="quiet" strong={false}>
          {name ?? ''}
        </Text>
      </h1>
      <Tools dim={dim} />
      <Row as="div" gap="xl" align="center" end>
        <Freshness now={now} />
        <Text as="span" tone="quiet">
          {date(now)}
        </Text>
        <time className={styles.clock}>{time(now)}</time>
      </Row>
    </Row>
  )
}

function Freshness({ now }: { now: number }) {
  const { t } = useTranslation('wall')
  const { span, time } = useFormats()
  const { state, lastFrameAt } = useConnection()
  const live = state === 'live'
  return (
    <Row as="p" gap="m" align="center" role="status" className={styles.fresh} data-lost={!live || undefined}>
      <i aria-hidden="true" />
      {live
        ? t('live', { age: span(Math.max(0, Math.floor((now - lastFrameAt) / 1000) * 1000)) })
        : lastFrameAt > 0
          ? t('lost-since', { time: time(lastFrameAt) })
          : t('connecting')}
    </Row>
  )
}

function Tools({ dim }: { dim: Dimming }) {
  const { t } = useTranslation('wall')
  const { possible, full, toggle } = useFullScreen()
  const [linking, setLinking] = useState(false)
  const moves = usePointerMoves()
  const isWall = useSession()?.wall === true
  return (
    <Row as="div" gap="s" className={styles.tools} data-shown={moves || linking || undefined}>
      {!isWall && (
        <Link to="/index" className={styles.tool} aria-label={t('leave')} title={t('leave')}>
          <IconArrowLeft size={18} stroke={1.75} aria-hidden />
        </Link>
      )}
      {possible && (
        <Tool label={t(full ? 'shell:exit-full-screen' : 'common:full-screen')} onClick={toggle}>
          {full ? <IconMinimize size={18} stroke={1.75} /> : <IconMaximize size={18} stroke={1.75} />}
        </Tool>
      )}
      <Tool label={t('dim-at-night')} on={dim.on} onClick={dim.toggle}>
        <IconMoon size={18} stroke={1.75} />
      </Tool>
      {!isWall && (
        <Tool label={t('wall-link')} onClick={() => setLinking(true)}>
          <IconLink size={18} stroke={1.75} />
        </Tool>
      )}
      {linking && (
        <Suspense>
          <LinkDialog onClose={() => setLinking(false)} />
        </Suspense>
      )}
    </Row>
  )
}

interface ToolProps {
  label: string
  on?: boolean
  onClick(): void
  children: ReactNode
}

const Tool = ({ label, on, onClick, children }: ToolProps) => (
  <button
    type="button"
    className={styles.tool}
    aria-label={label}
    title={label}
    {...(on !== undefined && { 'aria-pressed': on })}
    onClick={onClick}
  >
    {children}
  </button>
)
