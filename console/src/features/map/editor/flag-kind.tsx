/** What the next map point is. */
import type { Flag } from '@/canvas/document/document'
import { Segment, Segments } from '@/shared/controls/segments'
import { useTranslation } from '@/shared/i18n/text'
import { FLAG_WORD, FLAGS } from './tool-rail'

export function FlagKind({ kind, onChange }: { kind: Flag['kind']; onChange(kind: Flag['kind']): void }) {
  const { t } = useTranslation('map')
  return (
    <Segments label={t('kind')}>
      {FLAGS.map((value) => (
        <Segment key={value} on={value === kind} onChoose={() => onChange(value)}>
          {t(FLAG_WORD[value])}
        </Segment>
      ))}
    </Segments>
  )
}
