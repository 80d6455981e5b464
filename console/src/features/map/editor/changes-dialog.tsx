/** What would be saved, element by element, and what two people drew otherwise: nothing is kept that nobody has seen. */

import { Button } from 'antd'
import { useState } from 'react'
import { isFlag, isLine, type Mark } from '@/canvas/document/document'
import { sayHours } from '@/canvas/document/hours'
import { hoursOf, WHOLE } from '@/canvas/document/timed'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { useRefusalText } from '@/widgets/refusal-text'
import styles from './editor.module.css'
import type { Editing } from './session/use-editing'
import { FLAG_WORD } from './tool-rail'

const CHANGE_TONE = { added: 'cleaning', removed: 'help', changed: undefined } as const

interface Props {
  editing: Editing
  /** Serial name of the robot; null: a map of the library. */
  robot: string | null
  refused: boolean
  onClose(): void
}

export function ChangesDialog({ editing, robot, refused, onClose }: Props) {
  const { t } = useTranslation('map')
  const why = useRefusalText()
  const [problem, setProblem] = useState('')
  const { changes, conflicts, merged, busy } = editing
  const kind = (mark: Mark) => {
    if (mark.id === WHOLE) return t('hours-map')
    if (isFlag(mark)) return t(FLAG_WORD[mark.kind])
    if (isLine(mark)) return t(mark.kind === 'eraser' ? 'eraser' : 'virtual-wall')
    return t(mark.kind === 'forbiddenZone' ? 'no-go-zone' : 'tool-area')
  }
  const timesOf = (mark: Mark) => {
    const hours = hoursOf(mark)
    return hours && t('robot:hours-closed', { hours: sayHours(hours) })
  }
  const save = async () => {
    setProblem('')
    try {
      if (await editing.save()) {
        notice('success', robot === null ? t('saved-library') : t('saved-robot', { robot }))
        onClose()
      } else setProblem(t('saved-meanwhile'))
    } catch (error) {
      setProblem(why(error) ?? '')
    }
  }
  return (
    <Modal
      open
      title={t('changes-title', { count: changes.length })}
      okText={robot === null ? t('save') : t('save-to-robot')}
      cancelText={t('cancel')}
      okButtonProps={{ disabled: changes.length === 0 || refused || conflicts.length > 0, loading: busy }}
      onOk={save}
      onCancel={onClose}
    >
      {merged > 0 && (
        <Text tone="quiet" below="m">
          {t('merged', { revision: merged })}
        </Text>
      )}
      {conflicts.length > 0 && (
        <Row as="ul" stack rule="between" className={styles.scroll} aria-label={t('conflicts')}>
          {conflicts.map((conflict) => {
            const mark = conflict.ours ?? conflict.theirs
            return (
              <Row as="li" gap="m" align="center" pad="s xxs" key={conflict.id}>
                <Text as="b" tone="help">
                  {t('conflict')}
                </Text>
                <Text as="bdi" grow>
                  {mark?.name || t('unnamed')}
                </Text>
                <Button size="small" onClick={() => editing.decide(conflict, true)}>
                  {t('keep-mine')}
                </Button>
                <Button size="small" onClick={() => editing.decide(conflict, false)}>
                  {t('take-theirs')}
                </Button>
              </Row>
            )
          })}
        </Row>
      )}
      {changes.length === 0 ? (
        <Text tone="quiet" below="m">
          {t('no-changes')}
        </Text>
      ) : (
        <Row
          as="ul"
          stack
          rule="between"
          className={styles.scroll}
          aria-label={t('changes-title', { count: changes.length })}
        >
          {changes.map(({ kind: change, mark, before }) => (
            <Row as="li" gap="m" align="center" pad="s xxs" key={mark.id}>
              <Text as="b" tone={CHANGE_TONE[change]}>
                {t(`change-${change}`)}
              </Text>
              <span>{kind(mark)}</span>
              <Text as="bdi" grow>
                {before && before.name !== mark.name ? `${before.name} → ${mark.name}` : mark.name || t('unnamed')}
              </Text>
              <small>{change !== 'removed' && timesOf(mark)}</small>
            </Row>
          ))}
        </Row>
      )}
      {refused && (
        <Text tone="help" above="m">
          {t('mend-first')}
        </Text>
      )}
      {problem && (
        <Text tone="help" above="m" role="alert">
          {problem}
        </Text>
      )}
    </Modal>
  )
}
