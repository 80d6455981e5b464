/** Which page of a list is shown: the first, the last and those beside it; a list of one page needs none. */
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Fragment } from 'react'
import { Button } from '@/shared/controls/button'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import styles from './pages.module.css'

interface Props {
  page: number
  size: number
  total: number
  className?: string | undefined
  onPage(page: number): void
}

const near = (page: number, last: number) =>
  [...new Set([1, page - 1, page, page + 1, last])].filter((number) => number >= 1 && number <= last)

export function Pages({ page, size, total, className = '', onPage }: Props) {
  const { t } = useTranslation('shell')
  const { number } = useFormats()
  const last = Math.ceil(total / size)
  if (last <= 1) return null
  const step = (to: number, label: string, Mark: typeof IconChevronLeft) => (
    <Button
      type="text"
      size="small"
      icon={<Mark size={16} stroke={1.75} />}
      aria-label={label}
      title={label}
      disabled={to < 1 || to > last}
      onClick={() => onPage(to)}
    />
  )
  const places = near(page, last)
  return (
    <nav className={`${styles.pages} ${className}`} aria-label={t('list-pages')}>
      {step(page - 1, t('previous-page'), IconChevronLeft)}
      {places.map((place, nth) => (
        <Fragment key={place}>
          {nth > 0 && place > (places[nth - 1] ?? 0) + 1 && <span aria-hidden="true">…</span>}
          <Button
            size="small"
            type={place === page ? 'default' : 'text'}
            aria-label={t('page-number', { page: number(place) })}
            aria-current={place === page ? 'page' : undefined}
            onClick={() => onPage(place)}
          >
            {number(place)}
          </Button>
        </Fragment>
      ))}
      {step(page + 1, t('next-page'), IconChevronRight)}
    </nav>
  )
}

/** The foot of a list that says how many there are. */
export const Foot = ({ count, ...pages }: Props & { count: string }) => (
  <footer className={styles.foot}>
    <span>{count}</span>
    <Pages {...pages} />
  </footer>
)
