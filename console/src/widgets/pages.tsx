/** Which page of a list is shown; a list of one page needs none. */
import { Pagination } from 'antd'

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
