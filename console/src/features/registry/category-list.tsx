/** Categories of hardware parts; one that has parts stays. */
import type { ReactNode } from 'react'
import { resource } from '@/widgets/resource/resource'
import { ResourceScreen } from '@/widgets/resource/resource-screen'
import { required } from './rules'

const CATEGORIES = resource({
  name: 'category',
  texts: 'registry',
  label: 'category',
  add: 'add-category',
  empty: 'no-categories',
  list: '/deviceHardSupport/listCateGroup',
  insert: '/deviceHardSupport/insertCate',
  update: '/deviceHardSupport/updateCate',
  remove: '/deviceHardSupport/deleteCate',
  id: 'cate_id',
  key: 'cateId',
  title: 'cate_name',
  columns: [
    { key: 'cate_name', label: 'name', heading: true },
    { key: 'parts', label: 'hardware-parts', value: ({ children }) => children.length },
  ],
  fields: [{ name: 'cateName', of: 'cate_name', label: 'name', rule: required, wide: true }],
  start: { cateName: '' },
})

export const CategoryList = ({ head }: { head: ReactNode }) => <ResourceScreen of={CATEGORIES} search={head} />
