/** The mean of a check's grades, as number and word. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Tag } from '@/shared/marks/tag'
import { GRADE_WORDS, nearest, toneOf } from './row'

export function Score({ score }: { score: number }) {
  const { t } = useTranslation('spotcheck')
  const { number } = useFormats()
  const grade = nearest(score)
  return (
    <Tag tone={toneOf(grade)}>
      <b>{number(score, 1)}</b> {t(GRADE_WORDS[grade])}
    </Tag>
  )
}
