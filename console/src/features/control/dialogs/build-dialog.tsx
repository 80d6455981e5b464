/** Begins a new map: the loaded one is put away, and the new one grows as the robot is driven, or explores by itself. */

import { Input, Switch } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { COMMAND_LIMITS } from '@/shared/relay/limits'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Field, Problem } from '@/widgets/form/field'
import { useOrder } from './use-order'

/** `mapName`: the loaded map, which may be built anew in its own place. */
export function BuildDialog({ mapName, onClose }: { mapName: string; onClose(): void }) {
  const { t } = useTranslation('control')
  const order = useOrder(['name'])
  const [name, setName] = useState('')
  const [explore, setExplore] = useState(false)
  const [rebuild, setRebuild] = useState(false)
  const build = async () => {
    const sent = await order.send({
      command: 'draw_new_map',
      payload: rebuild ? { name: mapName, explore, rebuild } : { name: name.trim(), explore },
      label: t('build-map'),
      confirms: (row) => row.mapName === '',
    })
    if (sent) onClose()
  }
  return (
    <Modal
      open
      title={t('build-map')}
      okText={t('build-map')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: order.busy, disabled: !rebuild && name.trim() === '' }}
      onOk={build}
      onCancel={onClose}
    >
      <Text size="small" tone="soft">
        {t('build-how')}
      </Text>
      {mapName !== '' && (
        <>
          <Row as="label" gap="l" align="center" justify="between" above="s" below="s">
            <span>{t('rebuild', { name: mapName })}</span>
            <Switch checked={rebuild} onChange={setRebuild} />
          </Row>
          {rebuild && (
            <Text size="small" tone="soft">
              {t('rebuild-how')}
            </Text>
          )}
        </>
      )}
      {!rebuild && (
        <Field label={t('map-name')} fault={order.problemAt('name')}>
          <Input
            autoFocus
            value={name}
            maxLength={COMMAND_LIMITS.draw_new_map.name.maxLength}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
      )}
      <Row as="label" gap="l" align="center" justify="between" above="s" below="s">
        <span>{t('explore')}</span>
        <Switch checked={explore} onChange={setExplore} />
      </Row>
      <Problem text={order.problem} />
    </Modal>
  )
}
