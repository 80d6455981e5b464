/**
 * What a place shows while it has no content: a skeleton after 150 ms, then content, or one of the different texts for
 * empty, no match, no permission and error. Old content stays while new content loads.
 */
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../controls/button'
import { Skeleton } from '../controls/skeleton'
import { useTranslation } from '../i18n/text'
import { useErrorText } from '../rpc/errors/error-text'
import { Row } from './layout'
import styles from './query-view.module.css'

const SKELETON_AFTER_MS = 150

export function Loading({ shape }: { shape?: ReactNode }) {
  const [late, setLate] = useState(false)
  const { t } = useTranslation('common')
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SKELETON_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" aria-label={t('loading-data')} className={styles.loading}>
      {late && (shape ?? <Skeleton />)}
    </div>
  )
}

/** One line why, one action. */
export function Nothing({ why, action, role }: { why: ReactNode; action?: ReactNode; role?: 'alert' }) {
  return (
    <Row stack gap="m" align="center" justify="center" className={styles.nothing} {...(role && { role })}>
      <p>{why}</p>
      {action}
    </Row>
  )
}

export function Failed({ error, retry }: { error: Error; retry?: () => void }) {
  const { t } = useTranslation('common')
  const text = useErrorText()(error)
  return (
    <Nothing
      role="alert"
      why={text ?? t('load-failed')}
      action={retry && <Button onClick={retry}>{t('retry')}</Button>}
    />
  )
}

export interface Query<T> {
  data: T | undefined
  error: Error | null
  isPending: boolean
  refetch(): unknown
}

interface Props<T> {
  query: Query<T>
  /** What keeps its room until content comes; else a skeleton. */
  loading?: ReactNode
  /** True for an answer without content; then `empty` is shown, or `noMatch` when a filter is set. */
  isEmpty?: (data: T) => boolean
  empty?: ReactNode
  filtered?: boolean
  children: (data: T) => ReactNode
}

export function QueryView<T>({ query, loading, isEmpty, empty, filtered, children }: Props<T>) {
  const { t } = useTranslation('common')
  if (query.data !== undefined) {
    if (!isEmpty?.(query.data)) return children(query.data)
    return filtered ? <Nothing why={t('empty-search')} /> : (empty ?? <Nothing why={t('empty-list')} />)
  }
  if (query.error) return <Failed error={query.error} retry={() => void query.refetch()} />
  return loading ?? <Loading />
}
