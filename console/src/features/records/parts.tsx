/** What both lists have: words to search, and pages. */
import { IconSearch } from '@tabler/icons-react'
import { Button, Input, Pagination } from 'antd'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './records.module.css'
import { PAGE } from './use-filters'

interface BarProps {
  text: string
  hint: string
  onSearch(text: string): void
  filters: ReactNode
  children: ReactNode
}

export function Bar({ text, hint, onSearch, filters, children }: BarProps) {
  const { t } = useTranslation('records')
  const [typed, setTyped] = useState(text)
  useEffect(() => setTyped(text), [text])
  const search = (event: FormEvent) => {
    event.preventDefault()
    onSearch(typed.trim())
  }
  return (
    <search>
      <form className={styles.bar} onSubmit={search}>
        <Input
          className={styles.text ?? ''}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          placeholder={hint}
          aria-label={hint}
          prefix={<IconSearch size={16} stroke={1.75} />}
          maxLength={100}
          allowClear
          onClear={() => onSearch('')}
        />
        {filters}
        <Button htmlType="submit">{t('search')}</Button>
        <div className={styles.rest}>{children}</div>
      </form>
    </search>
  )
}

export function Foot({ page, total, onPage }: { page: number; total: number; onPage(page: string): void }) {
  return (
    <Pagination
      className={styles.foot ?? ''}
      current={page}
      pageSize={PAGE}
      total={total}
      showSizeChanger={false}
      hideOnSinglePage
      onChange={(next) => onPage(next > 1 ? String(next) : '')}
    />
  )
}

export function Robot({ name, serial }: { name: string; serial: string }) {
  return (
    <>
      <bdi>{name}</bdi>
      <small>
        <bdi dir="ltr">{serial}</bdi>
      </small>
    </>
  )
}
