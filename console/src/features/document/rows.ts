import type { Answer } from '@/shared/rpc/contract'

export type DocumentRow = Answer<'/file/findAllKnowledge'>['list'][number]
export type FileOfDocument = DocumentRow['files'][number]

export const PAGE = 30
export const MOST_FILES = 10

const NAME = /^(?!\.)[\p{L}\p{N}\p{M}_.-]{1,100}$/u

/** No spaces or special characters, no dot at the beginning. */
export const isFileName = (name: string) => NAME.test(name)

/** What a file may be called that has another name on the person's disk. */
export const toFileName = (name: string) =>
  name
    .normalize('NFC')
    .trim()
    .replace(/[^\p{L}\p{N}\p{M}_.-]+/gu, '_')
    .replace(/^[._]+/, '')
    .slice(-100)

export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** The beginning of an article without its marks, for the list. */
export const summaryOf = (markdown: string) =>
  markdown
    .replace(/^#+\s.*$/m, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`>#|~]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 160)
