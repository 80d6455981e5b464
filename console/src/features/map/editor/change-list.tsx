/** What two versions of a map differ in, element by element. */
import { isFlag, isLine, isPrivate, type Mark } from '@/canvas/document/document'
import { sayHours } from '@/canvas/document/hours'
import type { Change } from '@/canvas/document/merge'
import { hoursOf, WHOLE } from '@/canvas/document/timed'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import styles from './editor.module.css'
import { FLAG_WORD } from './tool-rail'

const CHANGE_TONE = { added: 'cleaning', removed: 'help', changed: undefined } as const

export function ChangeList({ changes, label }: { changes: readonly Change[]; label: string }) {
  const { t } = useTranslation('map')
  const kind = (mark: Mark) => {
    if (mark.id === WHOLE) return t('hours-map')
    if (isFlag(mark)) return t(FLAG_WORD[mark.kind])
    if (isLine(mark)) return t(mark.kind === 'eraser' ? 'eraser' : 'virtual-wall')
    return t(mark.kind === 'forbiddenZone' ? 'no-go-zone' : 'tool-area')
  }
  const factsOf = (mark: Mark) => {
    const hours = hoursOf(mark)
    const facts = [
      hours && t('robot:hours-closed', { hours: sayHours(hours) }),
      isPrivate(mark) && t('robot:no-picture'),
    ]
    return facts.filter(Boolean).join(' · ')
  }
  return (
    <Row as="ul" stack rule="between" className={styles.scroll} aria-label={label}>
      {changes.map(({ kind: change, mark, before }) => (
        <Row as="li" gap="m" align="center" pad="s xxs" key={mark.id}>
          <Text as="b" tone={CHANGE_TONE[change]}>
            {t(`change-${change}`)}
          </Text>
          <span>{kind(mark)}</span>
          <Text as="bdi" grow>
            {before && before.name !== mark.name ? `${before.name} → ${mark.name}` : mark.name || t('unnamed')}
          </Text>
          <small>{change !== 'removed' && factsOf(mark)}</small>
        </Row>
      ))}
    </Row>
  )
}
