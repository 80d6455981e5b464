/** What would be saved, element by element, and what two people drew otherwise: nothing is kept that nobody has seen. */

import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { useRefusalText } from '@/widgets/refusal-text'
import { ChangeList } from './change-list'
import styles from './editor.module.css'
import type { Editing } from './session/use-editing'

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
        <ChangeList changes={changes} label={t('changes-title', { count: changes.length })} />
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
