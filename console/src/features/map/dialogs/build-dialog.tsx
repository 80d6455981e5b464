/** A new map begins on the control page of the robot that shall draw it. */

import { Select } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { useDeviceSearch } from '@/widgets/form/device-picker'
import { Field } from '@/widgets/form/field'
import { buildPath } from '@/widgets/paths'
import type { Listed } from '@/widgets/robot/robot'

export function BuildDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('map')
  const go = useNavigate()
  const { list, select } = useDeviceSearch()
  const [robot, setRobot] = useState<Listed>()
  return (
    <Modal
      open
      title={t('build-map')}
      okText={t('open-control')}
      cancelText={t('cancel')}
      okButtonProps={{ disabled: robot === undefined }}
      onOk={() => robot && void go(buildPath(robot))}
      onCancel={onClose}
    >
      <Text size="small" tone="soft">
        {t('build-choose')}
      </Text>
      <Field label={t('robot')}>
        <Select
          {...select}
          labelInValue
          placeholder={t('choose-robot')}
          value={robot ? { value: robot.deviceId, label: robot.deviceCode } : null}
          onChange={({ value }) => setRobot(list.find(({ deviceId }) => deviceId === value))}
          options={list.map(({ deviceId, deviceCode, mode }) => ({
            value: deviceId,
            label: mode === 'offline' ? `${deviceCode} · ${t('offline')}` : deviceCode,
            disabled: mode === 'offline',
          }))}
        />
      </Field>
    </Modal>
  )
}
