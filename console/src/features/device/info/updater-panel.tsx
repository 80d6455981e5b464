/** Whether the robot's own updater asks for software, and the token by which it does; shown to who manages software. */
import { Button } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { QueryView } from '@/shared/ui/query-view'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { Once } from '@/widgets/person/once'
import type { Robot } from '@/widgets/robot/robot'
import { FactsPanel } from './facts'

export function UpdaterPanel({ row }: { row: Robot }) {
  const { t } = useTranslation('fleet')
  const { dateTime } = useFormats()
  const { deviceId } = row
  const query = useCall('/device/selectUpdateToken', { deviceId })
  const [asking, setAsking] = useState<'create' | 'delete'>()
  const [secret, setSecret] = useState('')
  const create = useAction('/device/createUpdateToken', t('updater-create'))
  const remove = useAction('/device/deleteUpdateToken', t('updater-delete'))
  const close = () => setAsking(undefined)
  return (
    <QueryView query={query}>
      {({ exists, createTime, seenTime, message, attributes, url }) => (
        <FactsPanel
          title={t('updater')}
          facts={[
            { label: t('updater-url'), value: exists && url, ltr: true },
            { label: t('updater-made'), value: createTime && dateTime(Date.parse(createTime)) },
            {
              label: t('updater-seen'),
              value: exists && (seenTime ? dateTime(Date.parse(seenTime)) : t('updater-never')),
            },
            { label: t('updater-message'), value: message },
            ...Object.entries(attributes).map(([label, value]) => ({ label, value, ltr: true })),
          ]}
        >
          <Text size="small" tone="quiet">
            {t(exists ? 'updater-asks' : 'updater-how')}
          </Text>
          <Row wrap gap="s" above="m">
            <Button size="small" onClick={() => setAsking('create')}>
              {t(exists ? 'updater-replace' : 'updater-create')}
            </Button>
            {exists && (
              <Button size="small" danger onClick={() => setAsking('delete')}>
                {t('updater-delete')}
              </Button>
            )}
          </Row>
          {asking && (
            <Modal
              open
              title={t(asking === 'delete' ? 'updater-delete' : exists ? 'updater-replace' : 'updater-create')}
              okText={t(asking === 'delete' ? 'common:delete' : 'updater-create')}
              cancelText={t('common:cancel')}
              okButtonProps={{ loading: create.busy || remove.busy }}
              onCancel={close}
              onOk={() =>
                asking === 'delete'
                  ? void remove.run({ deviceId }, close)
                  : void create.run({ deviceId }, ({ token }) => {
                      close()
                      setSecret(token)
                    })
              }
            >
              <Text>
                {t(
                  asking === 'delete'
                    ? 'updater-delete-means'
                    : exists
                      ? 'updater-replace-means'
                      : 'updater-create-means',
                )}
              </Text>
              <Problem text={asking === 'delete' ? remove.problem : create.problem} />
            </Modal>
          )}
          {secret && (
            <Once
              title={t('updater-token')}
              how={t('updater-once')}
              entries={[
                [
                  t('updater-url'),
                  <bdi key="url" dir="ltr">
                    {url}
                  </bdi>,
                ],
                [
                  t('serial-number'),
                  <bdi key="sn" dir="ltr">
                    {row.deviceSerialNumber}
                  </bdi>,
                ],
              ]}
              label={t('updater-token')}
              secret={secret}
              onClose={() => setSecret('')}
            />
          )}
        </FactsPanel>
      )}
    </QueryView>
  )
}
