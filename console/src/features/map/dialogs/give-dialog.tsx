/** Gives a map of the library to a robot. */

import { useQueryClient } from '@tanstack/react-query'
import { Progress } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { useRefusalText } from '@/widgets/refusal-text'
import type { MapRow } from '../row'
import { giveMap, type Receiver, ReceiverField } from './give'

export function GiveDialog({ map, onClose }: { map: MapRow; onClose: () => void }) {
  const { t } = useTranslation('map')
  const why = useRefusalText()
  const queries = useQueryClient()
  const [robot, setRobot] = useState<Receiver>()
  const [step, setStep] = useState<'fetch' | 'send'>()
  const [problem, setProblem] = useState('')
  const give = async () => {
    if (robot === undefined) return
    setProblem('')
    try {
      setStep('fetch')
      await giveMap(map, robot, () => setStep('send'))
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
      <ReceiverField
        label={t('target-robot')}
        placeholder={t('choose-robot')}
        robot={robot}
        onChange={(chosen) => setRobot(chosen)}
      />
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
