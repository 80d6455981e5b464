/** A new map begins on the control page of the robot that shall draw it. */
import { Modal, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Field } from '@/widgets/field'
import { buildPath } from '@/widgets/paths'
import type { Listed } from '@/widgets/robot'
import styles from './map.module.css'

interface Props {
  robots: readonly Pick<Listed, 'deviceId' | 'deviceCode' | 'mode' | 'protocolVersion'>[]
  onClose(): void
}

export function BuildDialog({ robots, onClose }: Props) {
  const { t } = useTranslation('map')
  const go = useNavigate()
  const [id, setId] = useState<number>()
  const robot = robots.find(({ deviceId }) => deviceId === id)
  return (
    <Modal
      open
      title={t('build-map')}
      okText={t('open-control')}
      cancelText={t('back')}
      okButtonProps={{ disabled: robot === undefined }}
      onOk={() => robot && void go(buildPath(robot))}
      onCancel={onClose}
    >
      <p className={styles.remark}>{t('build-choose')}</p>
      <Field label={t('robot')}>
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          placeholder={t('choose-robot')}
          value={id ?? null}
          onChange={setId}
          options={robots.map(({ deviceId, deviceCode, mode }) => ({
            value: deviceId,
            label: mode === 'offline' ? `${deviceCode} · ${t('offline')}` : deviceCode,
            disabled: mode === 'offline',
          }))}
        />
      </Field>
    </Modal>
  )
}
