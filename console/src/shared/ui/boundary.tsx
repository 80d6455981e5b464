/**
 * What fails to draw takes down its own place only: the children of a boundary. There it says so, offers to try again
 * (after their data were read again), and tells the server's log.
 */
import { useQueryClient } from '@tanstack/react-query'
import { Component, type ErrorInfo, type ReactNode, useState } from 'react'
import { Button } from '../controls/button'
import { useFormats } from '../i18n/format'
import { useTranslation } from '../i18n/text'
import { reportError } from '../rpc/client-error'
import { Row } from './layout'
import { Nothing } from './query-view'

type Retry = () => unknown

/** The code of a page did not come: mostly a new version stands on the server. */
export class ModuleMissing extends Error {
  override readonly name = 'ModuleMissing'
}

interface Props {
  /** What stands in the place of the children; else the words of a part. */
  fallback?: (retry: Retry, error: unknown) => ReactNode
  onError?: () => void
  children: ReactNode
}

export class Boundary extends Component<Props, { failed: boolean; error?: unknown }> {
  override state: { failed: boolean; error?: unknown } = { failed: false }

  static getDerivedStateFromError(error: unknown) {
    return { failed: true, error }
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo) {
    reportError('render', error, componentStack ?? '')
    this.props.onError?.()
  }

  private readonly retry = () => this.setState({ failed: false })

  override render() {
    if (!this.state.failed) return this.props.children
    return this.props.fallback?.(this.retry, this.state.error) ?? <PartBroken retry={this.retry} />
  }
}

/** Says that a part of a page failed. Data that broke it are read again before it is tried again. */
export function PartBroken({ retry }: { retry: Retry }) {
  const { t } = useTranslation('shell')
  const queries = useQueryClient()
  const readAgain = async () => {
    await queries.refetchQueries()
    retry()
  }
  return <Broken title={t('part-broken')} retry={readAgain} />
}

/** Says that a whole page failed, and that the others did not. */
export function PageBroken({ retry, error }: { retry: Retry; error: unknown }) {
  const { t } = useTranslation('shell')
  return (
    <Broken
      title={t(error instanceof ModuleMissing ? 'module-not-found' : 'page-broken')}
      hint={t('others-work')}
      retry={retry}
    >
      <Button onClick={() => location.reload()}>{t('reload-console')}</Button>
    </Broken>
  )
}

interface BrokenProps {
  title: string
  hint?: string
  retry: Retry
  children?: ReactNode
}

function Broken({ title, hint, retry, children }: BrokenProps) {
  const { t } = useTranslation('shell')
  const { dateTime } = useFormats()
  const [at] = useState(Date.now)
  const [busy, setBusy] = useState(false)
  const tryAgain = async () => {
    setBusy(true)
    try {
      await retry()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Nothing
      role="alert"
      why={
        <>
          <strong>{title}</strong>
          {hint && (
            <>
              <br />
              {hint}
            </>
          )}
          <br />
          {t('broken-way', { time: dateTime(at) })}
        </>
      }
      action={
        <Row as="span" wrap gap="m" justify="center">
          <Button loading={busy} onClick={tryAgain}>
            {t('common:retry')}
          </Button>
          {children}
        </Row>
      }
    />
  )
}
