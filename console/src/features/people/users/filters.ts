/** Words and levels that the user search is narrowed to. */
import { filters, several, words } from '@/widgets/list/filters'

export const FILTERS = filters({
  text: words((keyword) => ({ keyword })),
  levels: several((levels) => ({ levels: [...levels] })),
})

export type Filters = ReturnType<typeof FILTERS.read>
