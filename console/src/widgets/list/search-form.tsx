/** Words to search by, sent with Enter or the button; other filters may stand between them. */
import { IconSearch } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '@/shared/controls/button'
import { Input } from '@/shared/controls/input'
import { useTranslation } from '@/shared/i18n/text'
import { useActions } from '../actions/actions'

interface Props {
  text: string
  /** What is searched. */
  hint: string
  onSearch(text: string): void
  className: string | undefined
  /** Class of the words' own field. */
  field?: string | undefined
  dir?: 'ltr'
  longest?: number
  /** The other filters. */
  children?: ReactNode
}

export function SearchForm({ text, hint, onSearch, className, field, dir, longest = 100, children }: Props) {
  const { t } = useTranslation()
  const form = useRef<HTMLFormElement>(null)
  const [typed, setTyped] = useState(text)
  useEffect(() => setTyped(text), [text])
  const focus = () => form.current?.querySelector('input')?.focus()
  useActions([{ id: 'search', label: t('shell:search-here'), keys: ['/'], run: focus }])
  const search = (event: FormEvent) => {
    event.preventDefault()
    onSearch(typed.trim())
  }
  return (
    <form ref={form} data-search className={className} onSubmit={search}>
      <Input
        {...(field && { className: field })}
        {...(dir && { dir })}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        placeholder={hint}
        aria-label={hint}
        prefix={<IconSearch size={16} stroke={1.75} />}
        maxLength={longest}
        onClear={() => {
          setTyped('')
          onSearch('')
        }}
      />
      {children}
      <Button htmlType="submit">{t('search')}</Button>
    </form>
  )
}
