/** What was sent to a webhook in the last days, with the answers; one more can be sent, or one of them again. */

import { Button } from 'antd'
import { useState } from 'react'
import { textOr, useTranslation } from '@/shared/i18n/text'
import { Tag } from '@/shared/marks/tag'
import { useCall } from '@/shared/rpc/hooks'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { Column, Writing } from '@/widgets/list/columns'
import { ShortList } from '@/widgets/list/short-list'
import type { DeliveryRow, WebhookRow } from './rows'

const SIZE = 10
const TONES: Readonly<Record<string, 'cleaning' | 'help'>> = { delivered: 'cleaning', failed: 'help' }

const outcomeOf = ({ status, reason }: DeliveryRow, { t }: Writing) =>
  status === null ? (reason ? textOr(t, `reason-${reason}`, reason) : '') : `HTTP ${status}`

const COLUMNS: readonly Column<DeliveryRow>[] = [
  {
    key: 'kind',
    label: 'webhook:kind',
    heading: true,
    value: ({ kind }, { t }) => textOr(t, `kind.${kind}`, kind),
  },
  { key: 'createTime', label: 'webhook:created', cell: ({ createTime }, { exact }) => exact(Date.parse(createTime)) },
  {
    key: 'state',
    label: 'webhook:state',
    value: ({ state }, { t }) => textOr(t, `state-${state}`, state),
    cell: ({ state, nextTime }, { t, dateTime }) => (
      <Tag tone={TONES[state] ?? 'idle'}>
        {state === 'waiting' && nextTime
          ? t('webhook:next', { time: dateTime(Date.parse(nextTime)) })
          : textOr(t, `state-${state}`, state)}
      </Tag>
    ),
  },
  {
    key: 'status',
    label: 'webhook:answer',
    value: outcomeOf,
    cell: (row, writing) => <span title={row.answer}>{outcomeOf(row, writing)}</span>,
  },
  {
    key: 'duration',
    label: 'webhook:duration',
    number: true,
    value: ({ duration }) => duration,
    cell: ({ duration }, { unit }) => (duration === null ? '' : unit(duration / 1000, 'second', 2)),
  },
  { key: 'attempts', label: 'webhook:attempts', number: true },
]

export function History({ row, onClose }: { row: WebhookRow; onClose(): void }) {
  const { t } = useTranslation('webhook')
  const [page, setPage] = useState(1)
  const deliveries = useCall('/webhook/deliveries', { webhookId: row.id, currentPage: page, pageSize: SIZE })
  const test = useAction('/webhook/test', t('test'))
  return (
    <Modal
      open
      title={t('history')}
      width={900}
      footer={
        <>
          <Button
            loading={test.busy}
            disabled={!row.active}
            onClick={() => test.run({ id: row.id }, () => notice('success', t('test-sent')))}
          >
            {t('test')}
          </Button>
          <Button type="primary" onClick={onClose}>
            {t('close')}
          </Button>
        </>
      }
      onCancel={onClose}
    >
      <Text tone="quiet" below="m">
        <bdi dir="ltr">{row.url}</bdi>
      </Text>
      <ShortList
        texts="webhook"
        label={t('history')}
        columns={COLUMNS}
        query={deliveries}
        idOf={({ id }) => id}
        paging={{ page, size: SIZE, onPage: setPage }}
        empty={<p>{t('no-deliveries')}</p>}
        actions={(delivery) => <Again delivery={delivery} />}
      />
      <Problem text={test.problem} />
    </Modal>
  )
}

function Again({ delivery }: { delivery: DeliveryRow }) {
  const { t } = useTranslation('webhook')
  const action = useAction('/webhook/resend', t('again'))
  return (
    <>
      <Button
        size="small"
        loading={action.busy}
        onClick={() => action.run({ deliveryId: delivery.id }, () => undefined)}
      >
        {t('again')}
      </Button>
      <Problem text={action.problem} />
    </>
  )
}
