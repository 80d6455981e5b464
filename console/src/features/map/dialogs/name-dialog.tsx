/** What a map is called and where its floor is. A robot's own map is renamed on the robot: its tasks move along. */

import { Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { relayCall } from '@/shared/relay/relay'
import { call } from '@/shared/rpc/call'
import { LIMITS } from '@/shared/rpc/limits'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { Field, Problem } from '@/widgets/form/field'
import type { MapRow } from '../row'
import { PlaceFields } from './place-fields'
import { useRobotAction } from './use-robot-action'

const LIMIT = LIMITS['/map/editMap']

export function NameDialog({ map, onClose }: { map: MapRow; onClose(): void }) {
  const { t } = useTranslation('map')
  const action = useRobotAction()
  const [values, setValues] = useState({ name: map.name, building: map.building, floor: map.floor })
  const { mapId, deviceId, updateTime } = map
  const save = () =>
    void action.run(
      () =>
        deviceId === null
          ? call('/map/editMap', { mapId, ...values, updateTime })
          : relayCall(deviceId, 'map/CloudInfoUpdate', { map_name: map.name, data: values }),
      () => {
        notice('success', deviceId === null ? t('saved-library') : t('saved-robot', { robot: map.deviceCode }))
        onClose()
      },
    )
  const field = (key: keyof typeof values, label: string, fault?: string) => (
    <Field label={label} fault={fault}>
      <Input
        value={values[key]}
        maxLength={LIMIT[key].maxLength}
        onChange={(event) => {
          setValues({ ...values, [key]: event.target.value })
          action.reset()
        }}
      />
    </Field>
  )
  const unnamed = values.name.trim() === ''
  return (
    <Modal
      open
      title={t('name-place')}
      okText={t('save')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy, disabled: unnamed }}
      onOk={save}
      onCancel={onClose}
    >
      {field('name', t('map-name'), unnamed ? t('robot:no-map-name-required') : undefined)}
      <PlaceFields
        building={values.building}
        floor={values.floor}
        onChange={(place) => {
          setValues({ ...values, ...place })
          action.reset()
        }}
      />
      {deviceId !== null && (
        <Text size="small" tone="soft">
          {t('name-robot-how', { robot: map.deviceCode })}
        </Text>
      )}
      <Problem text={action.problem} />
    </Modal>
  )
}
