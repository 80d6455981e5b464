/** One's own browsers that alarms are pushed to: this one is turned on here; each is tried, or removed. */
import { useState } from 'react'
import { Button } from '@/shared/controls/button'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Tag } from '@/shared/marks/tag'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { QueryView } from '@/shared/ui/query-view'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { fits, subscribe } from './push-browser'

type Devices = Answer<'/webPush/list'>
type Device = Devices['list'][number]

export function PushSection() {
  const { t } = useTranslation('alarm')
  const devices = useCall('/webPush/list', {})
  return (
    <Row as="section" stack gap="m">
      <Text as="h3" strong>
        {t('push')}
      </Text>
      <Text tone="soft">{t('push-how', { channel: t('common:channel-off-site-push') })}</Text>
      <QueryView query={devices}>
        {({ key, list }) => (
          <>
            {list.map((device) => (
              <DeviceLine key={device.id} device={device} />
            ))}
            <ThisBrowser serverKey={key} />
          </>
        )}
      </QueryView>
    </Row>
  )
}

function ThisBrowser({ serverKey }: { serverKey: string }) {
  const { t } = useTranslation('alarm')
  const action = useAction('/webPush/subscribe', t('push'), ['endpoint', 'public'])
  const [trouble, setTrouble] = useState<'push-denied' | 'push-unfit'>()
  if (!fits()) return <Text tone="soft">{t('push-unfit')}</Text>
  const turnOn = async () => {
    setTrouble(undefined)
    try {
      const subscription = await subscribe(serverKey)
      if (subscription) void action.run(subscription, () => undefined)
      else setTrouble('push-denied')
    } catch {
      setTrouble('push-unfit') // the browser has no service that would push to it
    }
  }
  return (
    <Row stack gap="xs">
      <span>
        <Button size="small" loading={action.busy} onClick={() => void turnOn()}>
          {t('push-on')}
        </Button>
      </span>
      <Problem
        text={trouble ? t(trouble) : (action.problemAt('endpoint') ?? action.problemAt('public') ?? action.problem)}
      />
    </Row>
  )
}

function DeviceLine({ device: { id, label, sentTime, reason, reasonText } }: { device: Device }) {
  const { t } = useTranslation('alarm')
  const { exact } = useFormats()
  const test = useAction('/webPush/test', t('send-test'), ['id'])
  const remove = useAction('/webPush/unsubscribe', t('push-remove'))
  return (
    <Row stack gap="xs">
      <Row wrap gap="s" align="center">
        <bdi>{label}</bdi>
        <Text as="span" size="small" tone="soft">
          {sentTime ? t('push-last', { time: exact(Date.parse(sentTime)) }) : t('push-never')}
        </Text>
        {reason && <Tag tone="help">{reasonText}</Tag>}
        <Button
          size="small"
          loading={test.busy}
          aria-label={`${t('send-test')}: ${label}`}
          onClick={() => void test.run({ id }, () => undefined)}
        >
          {t('send-test')}
        </Button>
        <Button
          size="small"
          loading={remove.busy}
          aria-label={`${t('push-remove')}: ${label}`}
          onClick={() => void remove.run({ id }, () => undefined)}
        >
          {t('push-remove')}
        </Button>
      </Row>
      <Problem text={test.problemAt('id') ?? test.problem ?? remove.problem} />
    </Row>
  )
}
