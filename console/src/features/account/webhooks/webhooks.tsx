/** Webhooks: one's own list, and the ways to a new one, its history and its secret. */

import { Button, Popconfirm } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { textOr, useTranslation } from '@/shared/i18n/text'
import { Tag } from '@/shared/marks/tag'
import { useCall } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { Column, Writing } from '@/widgets/list/columns'
import { ShortList } from '@/widgets/list/short-list'
import { Once } from '@/widgets/person/once'
import { History } from './history'
import type { Secret, WebhookRow } from './rows'
import { WebhookForm } from './webhook-form'

const stateOf = (row: WebhookRow, { t, dateTime }: Writing): string => {
  if (row.offReason) return textOr(t, `off-${row.offReason}`, row.offReason)
  if (!row.active) return t('webhook:state-off')
  return row.failingTime ? t('webhook:failing', { time: dateTime(Date.parse(row.failingTime)) }) : t('webhook:state-on')
}

const toneOf = (row: WebhookRow) => (row.active ? (row.failingTime ? 'paused' : 'cleaning') : 'offline')

const COLUMNS: readonly Column<WebhookRow>[] = [
  { key: 'url', label: 'webhook:url', heading: true, ltr: true, cut: true },
  { key: 'description', label: 'webhook:description', cut: true },
  { key: 'apiKey', label: 'webhook:api-key', cut: true },
  {
    key: 'kinds',
    label: 'webhook:kinds',
    cut: true,
    value: ({ kinds }, { t }) =>
      kinds.length === 0 ? t('webhook:all-kinds') : kinds.map((kind) => textOr(t, `kind.${kind}`, kind)).join(' · '),
  },
  {
    key: 'state',
    label: 'webhook:state',
    value: stateOf,
    cell: (row, writing) => <Tag tone={toneOf(row)}>{stateOf(row, writing)}</Tag>,
  },
]

type View = { form: WebhookRow | undefined } | { history: WebhookRow } | { secret: Secret } | undefined

export function Webhooks({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('webhook')
  const { dateTime } = useFormats()
  const hooks = useCall('/webhook/list', {})
  const [view, setView] = useState<View>()
  const back = () => setView(undefined)
  if (view && 'form' in view)
    return <WebhookForm row={view.form} onClose={back} onSecret={(secret) => setView({ secret })} />
  if (view && 'history' in view) return <History row={view.history} onClose={back} />
  if (view)
    return (
      <Once
        title={t('secret')}
        how={t('secret-once')}
        entries={view.secret.formerUntil ? [[t('former-until'), dateTime(Date.parse(view.secret.formerUntil))]] : []}
        label={t('secret')}
        secret={view.secret.secret}
        onClose={back}
      />
    )
  return (
    <Modal
      open
      title={t('shell:webhooks')}
      width={1120}
      footer={
        <>
          <Button onClick={onClose}>{t('close')}</Button>
          <Button type="primary" onClick={() => setView({ form: undefined })}>
            {t('add-webhook')}
          </Button>
        </>
      }
      onCancel={onClose}
    >
      <Text tone="quiet" below="m">
        {t('how')}
      </Text>
      <ShortList
        texts="webhook"
        label={t('shell:webhooks')}
        columns={COLUMNS}
        query={hooks}
        idOf={({ id }) => id}
        empty={<p>{t('no-webhooks')}</p>}
        actions={(row) => <Actions row={row} onShow={setView} />}
      />
    </Modal>
  )
}

function Actions({ row, onShow }: { row: WebhookRow; onShow(view: View): void }) {
  const { t } = useTranslation('webhook')
  const change = useAction('/webhook/update', t('edit'))
  const rotate = useAction('/webhook/rotateSecret', t('new-secret'))
  const remove = useAction('/webhook/delete', t('delete'))
  const named = (word: string) => `${word}: ${row.url}`
  const onOff = t(row.active ? 'switch-off' : 'switch-on')
  return (
    <Row wrap gap="s">
      <Button size="small" aria-label={named(t('history'))} onClick={() => onShow({ history: row })}>
        {t('history')}
      </Button>
      <Button size="small" aria-label={named(t('edit'))} onClick={() => onShow({ form: row })}>
        {t('edit')}
      </Button>
      <Button
        size="small"
        aria-label={named(onOff)}
        loading={change.busy}
        onClick={() => change.run({ id: row.id, active: !row.active }, () => undefined)}
      >
        {onOff}
      </Button>
      <Popconfirm
        title={t('new-secret')}
        description={t('new-secret-how')}
        okText={t('new-secret')}
        cancelText={t('cancel')}
        onConfirm={() => rotate.run({ id: row.id }, (secret) => onShow({ secret }))}
      >
        <Button size="small" aria-label={named(t('new-secret'))} loading={rotate.busy}>
          {t('new-secret')}
        </Button>
      </Popconfirm>
      <Popconfirm
        title={t('delete-how')}
        okText={t('delete')}
        okButtonProps={{ danger: true }}
        cancelText={t('cancel')}
        onConfirm={() => remove.run({ id: row.id }, () => undefined)}
      >
        <Button size="small" danger aria-label={named(t('delete'))} loading={remove.busy}>
          {t('delete')}
        </Button>
      </Popconfirm>
      <Problem text={change.problem ?? rotate.problem ?? remove.problem} />
    </Row>
  )
}
