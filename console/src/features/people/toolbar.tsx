/** Words (Enter or the button) and, where the asker may narrow by level, the levels. */
import { IconSearch } from '@tabler/icons-react'
import { Button, Input } from 'antd'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { levelWord } from './levels'
import styles from './people.module.css'
import type { Filters } from './use-filters'

interface Props {
  filters: Filters
  searchable: readonly number[]
  onChange(filters: Filters): void
  /** At the end of the line. */
  children?: ReactNode
}

export function Toolbar({ filters, searchable, onChange, children }: Props) {
  const { t } = useTranslation('people')
  const [text, setText] = useState(filters.text)
  useEffect(() => setText(filters.text), [filters.text])
  const search = (event: FormEvent) => {
    event.preventDefault()
    onChange({ ...filters, text: text.trim() })
  }
  const flip = (level: number) =>
    onChange({
      ...filters,
      levels: searchable.filter((one) => filters.levels.includes(one) !== (one === level)),
    })
  return (
    <search className={styles.bar}>
      <form className={styles.find} onSubmit={search}>
        <Input
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder={t('search-users')}
          aria-label={t('search-users')}
          prefix={<IconSearch size={16} stroke={1.75} />}
          maxLength={100}
          allowClear
          onClear={() => onChange({ ...filters, text: '' })}
        />
        <Button htmlType="submit">{t('search')}</Button>
      </form>
      {searchable.length > 1 && (
        <fieldset className={styles.segments}>
          <legend>{t('level')}</legend>
          <button
            type="button"
            aria-pressed={filters.levels.length === 0}
            onClick={() => onChange({ ...filters, levels: [] })}
          >
            {t('all-levels')}
          </button>
          {searchable.map((level) => (
            <button key={level} type="button" aria-pressed={filters.levels.includes(level)} onClick={() => flip(level)}>
              {t(levelWord(level))}
            </button>
          ))}
        </fieldset>
      )}
      <div className={styles.rest}>{children}</div>
    </search>
  )
}
