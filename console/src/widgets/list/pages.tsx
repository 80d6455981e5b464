/** Which page of a list is shown; a list of one page needs none. */
import { Pagination } from 'antd'
import styles from './pages.module.css'

interface Props {
  page: number
  size: number
  total: number
  className?: string | undefined
  onPage(page: number): void
}

export const Pages = ({ page, size, total, className, onPage }: Props) => (
  <Pagination
    {...(className && { className })}
    current={page}
    pageSize={size}
    total={total}
    showSizeChanger={false}
    hideOnSinglePage
    onChange={onPage}
  />
)

/** The foot of a list that says how many there are. */
export const Foot = ({ count, ...pages }: Props & { count: string }) => (
  <footer className={styles.foot}>
    <span>{count}</span>
    <Pages {...pages} />
  </footer>
)
