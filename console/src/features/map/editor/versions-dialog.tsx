/** Every revision of the map, and the way back to any of them: it comes as a change that is looked at and saved. */

import { Button } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { call } from '@/shared/rpc/call'
import { useCall } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { QueryView } from '@/shared/ui/query-view'
import styles from './editor.module.css'
import type { Editing } from './session/use-editing'

interface Props {
  mapId: number
  editing: Editing
  locked: boolean
  onClose(): void
}

export function VersionsDialog({ mapId, editing, locked, onClose }: Props) {
  const { t } = useTranslation('map')
  const { dateTime, number } = useFormats()
  const versions = useCall('/map/versions', { mapId })
  const [busy, setBusy] = useState<number>()
  const back = async (revision: number) => {
    setBusy(revision)
    try {
      await editing.restore(await call('/map/version', { mapId, revision }))
      onClose()
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <Modal open title={t('versions')} footer={null} onCancel={onClose}>
      <QueryView query={versions}>
        {({ list }) => (
          <Row as="ol" stack rule="between" className={styles.scroll}>
            {list.map(({ revision, savedAt, elements, newest }) => (
              <Row as="li" gap="m" align="center" pad="s xxs" key={revision}>
                <b>{t('revision', { revision })}</b>
                <span>{dateTime(Date.parse(savedAt))}</span>
                <Text as="span" size="small" tone="soft" grow>
                  {t('elements-count', { count: elements })}
                </Text>
                {newest ? (
                  <Text as="span" size="small" tone="soft">
                    {t('newest')}
                  </Text>
                ) : (
                  <Button
                    size="small"
                    disabled={locked}
                    loading={busy === revision}
                    aria-label={`${t('return-to')}: ${number(revision)}`}
                    onClick={() => back(revision)}
                  >
                    {t('return-to')}
                  </Button>
                )}
              </Row>
            ))}
          </Row>
        )}
      </QueryView>
    </Modal>
  )
}
