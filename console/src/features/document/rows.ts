import type { Answer } from '@/shared/rpc/contract'

export type DocumentRow = Answer<'/file/findAllKnowledge'>['list'][number]
export type FileOfDocument = DocumentRow['files'][number]

export const PAGE = 30
export const MOST_FILES = 10

/** The beginning of an article without its marks, for the list. */
export const summaryOf = (markdown: string) =>
  markdown
    .replace(/^#+\s.*$/m, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`>#|~]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 160)
