/** A list as cards or as a table, as its address says: `view=table`. */
import { IconLayoutGrid, IconList } from '@tabler/icons-react'
import { useSearchParams } from 'react-router'
import { Segment, Segments } from '@/shared/controls/segments'
import { useTranslation } from '@/shared/i18n/text'

export type Layout = 'cards' | 'table'

const NAME = 'view'

export const layoutOf = (query: URLSearchParams): Layout => (query.get(NAME) === 'table' ? 'table' : 'cards')

/** The address with this layout; cards are usual. */
export function withLayout(layout: Layout, query: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(query)
  if (layout === 'table') next.set(NAME, layout)
  else next.delete(NAME)
  return next
}

export function useLayout(): [Layout, (layout: Layout) => void] {
  const [query, setQuery] = useSearchParams()
  return [layoutOf(query), (layout) => setQuery(withLayout(layout, query), { replace: true })]
}

interface Props {
  layout: Layout
  onChoose(layout: Layout): void
}

export function LayoutChoice({ layout, onChoose }: Props) {
  const { t } = useTranslation('shell')
  return (
    <Segments label={t('view')}>
      <Segment on={layout === 'cards'} onChoose={() => onChoose('cards')} label={t('cards')}>
        <IconLayoutGrid size={15} stroke={1.75} />
      </Segment>
      <Segment on={layout === 'table'} onChoose={() => onChoose('table')} label={t('table')}>
        <IconList size={15} stroke={1.75} />
      </Segment>
    </Segments>
  )
}
