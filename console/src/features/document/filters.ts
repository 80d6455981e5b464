import { filters, number, words } from '@/widgets/list/filters'

export const FILE_FILTERS = filters({
  text: words((keyword) => ({ keyword })),
  category: words((category) => ({ category })),
})

export const KNOWLEDGE_FILTERS = filters({
  text: words((keyword) => ({ keyword })),
  category: words((category) => ({ category })),
  code: words((code) => ({ code })),
  article: number(),
})
