import { Select } from 'antd'
import { useTranslation } from '@/shared/i18n/text'

interface Props {
  value: string
  categories: readonly string[]
  onChange(category: string): void
}

export function CategoryFilter({ value, categories, onChange }: Props) {
  const { t } = useTranslation('document')
  return (
    <Select
      aria-label={t('common:category')}
      value={value || null}
      placeholder={t('every-category')}
      allowClear
      showSearch
      options={categories.map((category) => ({ value: category, label: category }))}
      onChange={(category: string | null | undefined) => onChange(category ?? '')}
    />
  )
}
