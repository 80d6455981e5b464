/** Support access: a customer opens and closes it and sees who looked; who stands above sees how it stands and asks. */

import { Button, Input, Modal, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { useSession } from '@/shared/session/session'
import { Columns, Row, Text } from '@/shared/ui/layout'
import { QueryView } from '@/shared/ui/query-view'
import { PlainTable } from '@/shared/ui/table'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { AskSupport } from '@/widgets/support-closed'

type Standing = NonNullable<Answer<'/support/state'>['customer']>
type Look = Answer<'/support/looks'>['list'][number]

const HOURS = [1, 4, 8, 24, 72]
const USUAL_HOURS = 4
const PAGE = 50
const ADMIN = 1

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

function useStanding() {
  const { t } = useTranslation('people')
  const { dateTime } = useFormats()
  return ({ open, until }: Standing) => {
    if (!open) return t('support-is-closed')
    return until ? t('support-until', { time: dateTime(Date.parse(until)) }) : t('support-always')
  }
}

function StandingLine({ of }: { of: Standing }) {
  const describe = useStanding()
  return (
    <Text tone="quiet" below="m" role="status">
      <b>{describe(of)}</b>
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
      <QueryView query={looks} isEmpty={({ list }) => list.length === 0} empty={<p>{t('support-no-looks')}</p>}>
        {({ list, pageNum }) => (
          <>
            <PlainTable>
              <thead>
                <tr>
                  <th>{t('support-who')}</th>
                  <th>{t('support-what')}</th>
                  <th>{t('support-when')}</th>
                </tr>
              </thead>
              <tbody>
                {list.map((row) => (
                  <LookLine key={`${row.time}/${row.userId}/${row.what}/${row.id}`} row={row} />
                ))}
              </tbody>
            </PlainTable>
            {pageNum > 1 && (
              <Row wrap gap="m" above="m">
                <Button size="small" disabled={page === 1} onClick={() => setPage(page - 1)}>
                  {t('support-newer')}
                </Button>
                <Button size="small" disabled={page === pageNum} onClick={() => setPage(page + 1)}>
                  {t('support-older')}
                </Button>
              </Row>
            )}
          </>
        )}
      </QueryView>
    </>
  )
}

function LookLine({ row }: { row: Look }) {
  const { t } = useTranslation('people')
  const { dateTime } = useFormats()
  return (
    <tr>
      <th scope="row" data-cut>
        <bdi>{row.name || row.account}</bdi>
      </th>
      <td>
        {t(`support-look-${row.what}`)} · <bdi>{row.of}</bdi>
      </td>
      <td data-soft>{dateTime(Date.parse(row.time))}</td>
    </tr>
  )
}

/** Those in one's own scope. */
function Customers() {
  const { t } = useTranslation('people')
  const describe = useStanding()
  const asks = useSession()?.levelDepth !== ADMIN
  const [keyword, setKeyword] = useState('')
  const customers = useCall('/support/list', { keyword, currentPage: 1, pageSize: PAGE }, { staleTime: 0, keep: true })
  return (
    <>
      <Input.Search
        allowClear
        placeholder={t('search-users')}
        aria-label={t('search-users')}
        onSearch={(value) => setKeyword(value.trim())}
      />
      <QueryView query={customers} isEmpty={({ list }) => list.length === 0} empty={<p>{t('support-no-customers')}</p>}>
        {({ list }) => (
          <PlainTable>
            <tbody>
              {list.map((row) => (
                <tr key={row.customerId}>
                  <th scope="row" data-cut>
                    <bdi>{row.customerName}</bdi>
                  </th>
                  <td>{describe(row)}</td>
                  <td data-actions>{asks && !row.open && <AskSupport ownerId={row.customerId} />}</td>
                </tr>
              ))}
            </tbody>
          </PlainTable>
        )}
      </QueryView>
    </>
  )
}
