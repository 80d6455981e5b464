/**
 * Emergency stop and pause for a page whose content failed to draw. They read no live row, no query and no scope: the
 * robot's number is all they need, and the robot's answer is what confirms them.
 */
import { IconHandStop, IconPlayerPause } from '@tabler/icons-react'
import { Button } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import type { Command } from '@/shared/relay/contract'
import { command, type Order } from '@/shared/relay/life'
import type { RelayRefusal } from '@/shared/relay/relay'
import { PartBroken } from '@/shared/ui/boundary'
import { Row, Text } from '@/shared/ui/layout'
import { notice } from '@/shared/ui/notice'
import { Page } from '@/shared/ui/panel'
import { useRefusalText } from '@/widgets/refusal-text'
import styles from './lock/lock.module.css'

function useDirectOrder(deviceId: number) {
  const { t } = useTranslation('control')
  const refusalText = useRefusalText()
  return async <C extends Command>(order: Order<C>) => {
    try {
      await command(deviceId, order)
      notice('success', `${order.label}: ${t('common:command-accepted')}`)
    } catch (error) {
      const why = refusalText(error)
      if (why) notice('error', `${order.label}: ${why}`)
    }
  }
}

export function FallbackStop({ deviceId }: { deviceId: number }) {
  const { t } = useTranslation('control')
  const send = useDirectOrder(deviceId)
  const refusalText = useRefusalText()
  const label = t('emergency-stop')
  const onRetry = (why: RelayRefusal) =>
    notice('error', `${label}: ${t('command-retrying', { why: refusalText(why) ?? '' })}`)
  return (
    <button
      type="button"
      className={styles.stop}
      onClick={() => void send({ command: 'robot_safe', payload: { robot_safe: 1 }, label, onRetry })}
    >
      <IconHandStop size={20} stroke={2} aria-hidden="true" />
      {label}
    </button>
  )
}

function FallbackPause({ deviceId }: { deviceId: number }) {
  const { t } = useTranslation('control')
  const send = useDirectOrder(deviceId)
  const label = t('pause')
  return (
    <Button
      type="primary"
      size="large"
      icon={<IconPlayerPause size={18} stroke={2} />}
      onClick={() => void send({ command: 'task_pause', label })}
    >
      {label}
    </Button>
  )
}

/** In the place of the run, or of the whole floor with it. */
export function FallbackRun({ deviceId, retry }: { deviceId: number; retry: () => unknown }) {
  return (
    <>
      <div>
        <FallbackPause deviceId={deviceId} />
      </div>
      <PartBroken retry={retry} />
    </>
  )
}

/** The page without its content. */
export function FallbackPage({ deviceId, retry }: { deviceId: number; retry: () => unknown }) {
  const { t } = useTranslation('control')
  return (
    <Page>
      <Row wrap gap="l" align="center">
        <FallbackStop deviceId={deviceId} />
        <FallbackPause deviceId={deviceId} />
        <Text as="span" size="small" tone="soft">
          {t('still-stops')}
        </Text>
      </Row>
      <PartBroken retry={retry} />
    </Page>
  )
}
