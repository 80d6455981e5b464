/** What the parts that wear are called. */
import type { TextKey } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'

export type Item = Answer<'/deviceConsumable/consumableInfo'>['list'][number]['name']

export const PART_WORDS: Readonly<Record<Item, TextKey<'upkeep'>>> = {
  'dust bag': 'dust-bag',
  'edge brush': 'side-brush',
  filter: 'air-filter',
  'roller brush': 'roller-brush',
  'thin edge brush': 'thin-side-brush',
  'thin roller brush': 'thin-roller-brush',
  'wheel rubber': 'wheel-rubber',
}

export const partWord = (item: Item) => PART_WORDS[item]
