/** Gives a map to a robot: its bundle goes from here through the relay, as everything that a person does to one robot. */

import { useQueryClient } from '@tanstack/react-query'
import { Progress, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { relayCall } from '@/shared/relay/relay'
import { raw } from '@/shared/rpc/call'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { deviceLabel, useDeviceSearch } from '@/widgets/form/device-picker'
import { Field } from '@/widgets/form/field'
import { useRefusalText } from '@/widgets/refusal-text'
import { has } from '@/widgets/robot/robot'
import type { MapRow } from '../row'

export function GiveDialog({ map, onClose }: { map: MapRow; onClose: () => void }) {
  const { t } = useTranslation('map')
  const why = useRefusalText()
  const queries = useQueryClient()
  const [robot, setRobot] = useState<{ id: number; name: string }>()
  const [step, setStep] = useState<'fetch' | 'send'>()
  const [problem, setProblem] = useState('')
  const { list, select } = useDeviceSearch()
  const choose = (id: number) => setRobot({ id, name: list.find(({ deviceId }) => deviceId === id)?.deviceCode ?? '' })
  const give = async () => {
    if (robot === undefined) return
    setProblem('')
    try {
      setStep('fetch')
      const bundle = await raw('/map/bundle', { mapId: map.mapId })
      setStep('send')
      const form = new FormData()
      form.append('map_name', map.name)
      form.append('file', bundle, `${map.name}.zip`)
      await relayCall(robot.id, 'map/Upload', form)
      await queries.invalidateQueries({ queryKey: ['map'] })
      notice('success', t('given', { name: map.name, robot: robot.name }))
      onClose()
    } catch (error) {
      setProblem(why(error) ?? '')
    } finally {
      setStep(undefined)
    }
  }
  return (
    <Modal
      open
      title={t('give-named', { name: map.name })}
      okText={t('give')}
      cancelText={t('cancel')}
      okButtonProps={{ disabled: robot === undefined, loading: step !== undefined }}
      onOk={give}
      onCancel={onClose}
    >
      <Field label={t('target-robot')}>
        <Select
          {...select}
          labelInValue
          placeholder={t('choose-robot')}
          value={robot ? { value: robot.id, label: robot.name } : null}
          onChange={(chosen) => choose(Number(chosen.value))}
          options={list.map((device) => ({
            value: device.deviceId,
            label: deviceLabel(device),
            disabled: device.mode === 'offline' || !has(device, 'map/Upload'),
          }))}
        />
      </Field>
      <Text size="small" tone="soft">
        {t('give-how')}
      </Text>
      {step && (
        <Progress percent={step === 'fetch' ? 30 : 70} showInfo={false} status="active" aria-label={t('uploading')} />
      )}
      {problem && (
        <Text tone="help" above="l" role="alert">
          {problem}
        </Text>
      )}
    </Modal>
  )
}
