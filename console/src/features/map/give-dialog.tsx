/** Gives a map to a robot: its bundle goes from here through the relay, as everything that a person does to one robot. */
import { useQueryClient } from '@tanstack/react-query'
import { Modal, Progress, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { relayCall } from '@/shared/relay/relay'
import { raw } from '@/shared/rpc/call'
import { useCall } from '@/shared/rpc/hooks'
import { notice } from '@/shared/ui/notice'
import { useRefusalText } from '@/widgets/refusal-text'
import styles from './map.module.css'
import type { MapRow } from './row'

const LISTED = 500

export function GiveDialog({ map, onClose }: { map: MapRow; onClose: () => void }) {
  const { t } = useTranslation('map')
  const why = useRefusalText()
  const queries = useQueryClient()
  const [robot, setRobot] = useState<number>()
  const [step, setStep] = useState<'fetch' | 'send'>()
  const [problem, setProblem] = useState('')
  const robots = useCall('/device/selectDevicePc', { isPc: '1', currentPage: 1, pageSize: LISTED })
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
      await relayCall(robot, 'map/Upload', form)
      await queries.invalidateQueries({ queryKey: ['map'] })
      notice('success', t('given', { name: map.name, robot: nameOf(robot) }))
      onClose()
    } catch (error) {
      setProblem(why(error) ?? '')
    } finally {
      setStep(undefined)
    }
  }
  const list = robots.data?.list ?? []
  const nameOf = (id: number) => list.find((r) => r.deviceId === id)?.deviceCode ?? ''
  return (
    <Modal
      open
      title={t('give-named', { name: map.name })}
      okText={t('give')}
      cancelText={t('back')}
      okButtonProps={{ disabled: robot === undefined, loading: step !== undefined }}
      onOk={give}
      onCancel={onClose}
    >
      <label className={styles.field}>
        <span>{t('target-robot')}</span>
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          placeholder={t('choose-robot')}
          loading={robots.isPending}
          value={robot ?? null}
          onChange={setRobot}
          options={list.map((r) => ({
            value: r.deviceId,
            label: `${r.deviceCode} · ${r.deviceSerialNumber}`,
            disabled: r.mode === 'offline',
          }))}
        />
      </label>
      <p className={styles.remark}>{t('give-how')}</p>
      {step && (
        <Progress percent={step === 'fetch' ? 30 : 70} showInfo={false} status="active" aria-label={t('uploading')} />
      )}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </Modal>
  )
}
