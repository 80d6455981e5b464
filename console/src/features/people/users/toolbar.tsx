/** Words (Enter or the button) and, where the asker may narrow by level, the levels. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Toolbar as Bar } from '@/shared/ui/layout'
import { SearchForm } from '@/widgets/list/search-form'
import { Segment, Segments } from '@/widgets/list/segments'
import { levelWord } from '../roles/levels'
import type { Filters } from './filters'
import styles from './users.module.css'

interface Props {
  filters: Filters
  searchable: readonly number[]
  onChange(filters: Filters): void
  /** At the end of the line. */
  children?: ReactNode
}

export function Toolbar({ filters, searchable, onChange, children }: Props) {
  const { t } = useTranslation('people')
  const flip = (level: number) =>
    onChange({
      ...filters,
      levels: searchable.filter((other) => filters.levels.includes(other) !== (other === level)),
    })
  return (
    <Bar end={children}>
      <SearchForm
        className={styles.find}
        text={filters.text}
        hint={t('search-users')}
        onSearch={(text) => onChange({ ...filters, text })}
      />
      {searchable.length > 1 && (
        <Segments label={t('level')}>
          <Segment on={filters.levels.length === 0} onChoose={() => onChange({ ...filters, levels: [] })}>
            {t('all-levels')}
          </Segment>
          {searchable.map((level) => (
            <Segment key={level} on={filters.levels.includes(level)} onChoose={() => flip(level)}>
              {t(levelWord(level))}
            </Segment>
          ))}
        </Segments>
      )}
    </Bar>
  )
}
