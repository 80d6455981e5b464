/** What both lists have: words to search, and robots. */
import { IconSearch } from '@tabler/icons-react'
import { Button, Input } from 'antd'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './records.module.css'

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
