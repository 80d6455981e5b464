/** Words (Enter or the button) and, where the asker may narrow by level, the levels. */

import { Segment, Segments } from '@/shared/controls/segments'
import { useTranslation } from '@/shared/i18n/text'
import { Search as Words } from '@/widgets/list/search'
import { levelWord } from '../roles/levels'
import type { Filters } from './filters'

interface Props {
  filters: Filters
  searchable: readonly number[]
  onChange(filters: Filters): void
}

export function Search({ filters, searchable, onChange }: Props) {
  const { t } = useTranslation('people')
  const flip = (level: number) =>
    onChange({
      ...filters,
      levels: searchable.filter((other) => filters.levels.includes(other) !== (other === level)),
    })
  return (
    <>
      <Words text={filters.text} hint={t('search-users')} onSearch={(text) => onChange({ ...filters, text })} />
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
    </>
  )
}
