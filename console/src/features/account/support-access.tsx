/** Support access: a customer opens and closes it and sees who looked; who stands above sees how it stands and asks. */

import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { type TextKey, type Translate, useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { useSession } from '@/shared/session/session'
import { Columns, Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { QueryView } from '@/shared/ui/query-view'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { Column, Writing } from '@/widgets/list/columns'
import { ShortList } from '@/widgets/list/short-list'
import { AskSupport } from '@/widgets/support-closed'

type Standing = NonNullable<Answer<'/support/state'>['customer']>
type Look = Answer<'/support/looks'>['list'][number]

const HOURS = [1, 4, 8, 24, 72]
const USUAL_HOURS = 4
const PAGE = 50
const ADMIN = 1

const LOOKS: readonly Column<Look>[] = [
  { key: 'name', label: 'support-who', heading: true, cut: true, value: ({ name, account }) => name || account },
  {
    key: 'of',
    label: 'support-what',
    cut: true,
    value: (row) => `${row.whatName} · ${row.of}`,
  },
  { key: 'time', label: 'support-when', soft: true, cell: ({ time }, { dateTime }) => dateTime(Date.parse(time)) },
]
const CUSTOMERS: readonly Column<Standing>[] = [
  { key: 'customerName', label: 'name', heading: true, cut: true },
  { key: 'until', label: 'shell:support-access', value: (row, writing) => describeAccess(row, writing) },
]

type Sentences = Pick<Writing, 'dateTime'> & { readonly t: Translate<TextKey<'people'>> }

function describeAccess({ open, until }: Standing, { t, dateTime }: Sentences): string {
  if (!open) return t('support-is-closed')
  return until ? t('support-until', { time: dateTime(Date.parse(until)) }) : t('support-always')
}

export function SupportAccess({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('people')
  const state = useCall('/support/state', {}, { staleTime: 0 })
  return (
    <Modal
      open
      title={t('shell:support-access')}
      width={760}
      footer={<Button onClick={onClose}>{t('close')}</Button>}
      onCancel={onClose}
    >
      <Text tone="quiet" below="m">
        {t('support-how')}
      </Text>
      <QueryView query={state}>
        {({ customer, mine: isOwn }) =>
          customer ? (
            <>
              <StandingLine of={customer} />
              {isOwn && <Actions of={customer} />}
              {isOwn && <Looks />}
              {!isOwn && (
                <Text size="small" tone="soft" above="xs">
                  {t('support-not-yours', { customer: customer.customerName })}
                </Text>
              )}
            </>
          ) : (
            <Customers />
          )
        }
      </QueryView>
    </Modal>
  )
}

function StandingLine({ of }: { of: Standing }) {
  const { t } = useTranslation('people')
  const { dateTime } = useFormats()
  return (
    <Text tone="quiet" below="m" role="status">
      <b>{describeAccess(of, { t, dateTime })}</b>
    </Text>
  )
}

function Actions({ of }: { of: Standing }) {
  const { t } = useTranslation('people')
  const { unit } = useFormats()
  const [hours, setHours] = useState(USUAL_HOURS)
  const open = useAction('/support/open', t('support-open'))
  const close = useAction('/support/close', t('support-close'))
  const standard = useAction('/support/default', t('support-default'))
  const done = () => undefined
  return (
    <>
      <Columns gap="l" lines="none">
        <Field label={t('support-open-for')}>
          <Select
            value={hours}
            options={HOURS.map((value) => ({ value, label: unit(value, 'hour') }))}
            onChange={setHours}
          />
        </Field>
        <Field label={t('support-default')}>
          <Select
            value={of.default}
            loading={standard.busy}
            options={[
              { value: 'off', label: t('support-default-off') },
              { value: 'always', label: t('support-default-always') },
            ]}
            onChange={(value) => standard.run({ default: value }, done)}
          />
        </Field>
      </Columns>
      <Row wrap gap="m" above="l" below="l">
        <Button type="primary" loading={open.busy} onClick={() => open.run({ hours }, done)}>
          {t('support-open')}
        </Button>
        {of.open && (
          <Button danger loading={close.busy} onClick={() => close.run({}, done)}>
            {t('support-close')}
          </Button>
        )}
      </Row>
      <Problem text={open.problem ?? close.problem ?? standard.problem} />
    </>
  )
}

function Looks() {
  const { t } = useTranslation('people')
  const [page, setPage] = useState(1)
  const looks = useCall('/support/looks', { currentPage: page, pageSize: PAGE }, { staleTime: 0, keep: true })
  return (
    <>
      <h3>{t('support-looks')}</h3>
      <ShortList
        texts="people"
        label={t('support-looks')}
        columns={LOOKS}
        query={looks}
        idOf={(row) => `${row.time}/${row.userId}/${row.what}/${row.id}`}
        empty={<p>{t('support-no-looks')}</p>}
        paging={{ page, size: PAGE, onPage: setPage }}
      />
    </>
  )
}

/** Those in one's own scope. */
function Customers() {
  const { t } = useTranslation('people')
  const asks = useSession()?.levelDepth !== ADMIN
  const [{ keyword, page }, setFilter] = useState({ keyword: '', page: 1 })
  const payload = { keyword, currentPage: page, pageSize: PAGE }
  const customers = useCall('/support/list', payload, { staleTime: 0, keep: true })
  return (
    <Row stack gap="m">
      <Input.Search
        allowClear
        placeholder={t('search-users')}
        aria-label={t('search-users')}
        onSearch={(value) => setFilter({ keyword: value.trim(), page: 1 })}
      />
      <ShortList
        texts="people"
        label={t('shell:support-access')}
        columns={CUSTOMERS}
        query={customers}
        idOf={({ customerId }) => customerId}
        empty={<p>{keyword ? t('common:empty-search') : t('support-no-customers')}</p>}
        paging={{ page, size: PAGE, onPage: (next) => setFilter({ keyword, page: next }) }}
        {...(asks && { actions: (row: Standing) => !row.open && <AskSupport ownerId={row.customerId} /> })}
      />
    </Row>
  )
}
