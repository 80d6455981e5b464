/** A category: one that there is, or a new word. */
import { AutoComplete } from 'antd'

interface Props {
  value: string
  categories: readonly string[]
  maxLength: number
  onChange(value: string): void
}

export const CategoryInput = ({ value, categories, maxLength, onChange, ...described }: Props) => (
  <AutoComplete
    {...described}
    value={value}
    maxLength={maxLength}
    options={categories
      .filter((category) => category.toLowerCase().includes(value.trim().toLowerCase()))
      .map((category) => ({ value: category }))}
    onChange={(text: string | undefined) => onChange(text ?? '')}
  />
)
