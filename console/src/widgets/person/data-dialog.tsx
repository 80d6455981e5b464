/** Somebody's data: how long a customer's are kept, a copy for the person, and the end of all that says who it was. */

import { Button, InputNumber } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { raw } from '@/shared/rpc/call'
import type { Answer } from '@/shared/rpc/contract'
import { useErrorText } from '@/shared/rpc/errors/error-text'
import { useCall } from '@/shared/rpc/hooks'
import { saveAs } from '@/shared/save-as'
import { end, leave, useMay, useSession } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Retyped } from '../form/delete-dialog'
import { Problem } from '../form/field'
import { useAction } from '../form/use-action'
import type { Column } from '../list/columns'
import { ShortList } from '../list/short-list'
import type { UserRow } from './person'
import styles from './person.module.css'

type RetentionRow = Answer<'/retention/list'>['list'][number]

interface Props {
  /** Null: one's own. */
  row: Pick<UserRow, 'userId' | 'name' | 'account' | 'levelDepth' | 'shadowId'> | null
  onClose(): void
}

const CUSTOMER = 3
const LONGEST_DAYS = 3650

const RETENTION: readonly Column<RetentionRow>[] = [
  { key: 'kindName', label: 'support-what', heading: true },
  {
    key: 'days',
    label: 'retention',
    cell: ({ days }, { t }) => (days === 0 ? t('retention-ever') : t('retention-days', { days })),
  },
]

export function DataDialog({ row, onClose }: Props) {
  const { t } = useTranslation('people')
  const session = useSession()
  const mayErase = useMay('user/index/delete')
  if (!session) return null
  const whom = row ? { targetUserId: row.userId } : {}
  const { account, name, levelDepth, shadowId } = row ?? session
  return (
    <Modal
      open
      title={`${t('shell:personal-data')}: ${name || account}`}
      width={620}
      footer={<Button onClick={onClose}>{t('close')}</Button>}
      onCancel={onClose}
    >
      <Row stack gap="xl">
        {levelDepth === CUSTOMER && shadowId === null && <Retention customer={row ? { customerId: row.userId } : {}} />}
        <Copy account={account} whom={whom} />
        {mayErase && <Erase account={account} whom={whom} own={!row} onClose={onClose} />}
      </Row>
    </Modal>
  )
}

type Whom = { targetUserId?: number }

function Copy({ account, whom }: { account: string; whom: Whom }) {
  const { t } = useTranslation('people')
  const errorText = useErrorText()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const fetch = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      saveAs(await raw('/user/exportPerson', whom), `${account}.zip`)
    } catch (error) {
      setProblem(error instanceof Error ? errorText(error, t('data-copy')) : t('data-copy'))
    }
    setBusy(false)
  }
  return (
    <section>
      <h3>{t('data-copy')}</h3>
      <Text tone="quiet" below="m">
        {t('data-copy-how')}
      </Text>
      <Button loading={busy} onClick={() => void fetch()}>
        {t('data-copy-fetch')}
      </Button>
      <Problem text={problem} />
    </section>
  )
}

function Erase({ account, whom, own, onClose }: { account: string; whom: Whom; own: boolean; onClose(): void }) {
  const { t } = useTranslation('people')
  const [typed, setTyped] = useState('')
  const action = useAction('/user/erasePerson', t('data-erase'))
  const send = () =>
    action.run({ ...whom, account: typed.trim() }, () => {
      onClose()
      if (!own) return
      leave()
      end()
    })
  return (
    <section>
      <h3>{t('data-erase')}</h3>
      <Text tone="quiet" below="m">
        {t('data-erase-how')}
      </Text>
      <Retyped label={t('type-login-name', { account })} value={typed} onChange={setTyped} action={action} />
      <Row above="l" below="l">
        <Button danger loading={action.busy} disabled={typed.trim() !== account} onClick={send}>
          {t('data-erase')}
        </Button>
      </Row>
      <Problem text={action.problem} />
    </section>
  )
}

function Retention({ customer }: { customer: { customerId?: number } }) {
  const { t } = useTranslation('people')
  const retention = useCall('/retention/list', customer, { staleTime: 0 })
  return (
    <section>
      <h3>{t('retention')}</h3>
      <Text tone="quiet" below="m">
        {t('retention-how')}
      </Text>
      <ShortList
        texts="people"
        label={t('retention')}
        columns={RETENTION}
        query={retention}
        idOf={({ kind, days }) => `${kind}/${days}`}
        className={styles.retention}
        actions={(row) => <RetentionForm row={row} customer={customer} />}
      />
    </section>
  )
}

function RetentionForm({ row, customer }: { row: RetentionRow; customer: { customerId?: number } }) {
  const { t } = useTranslation('people')
  const [days, setDays] = useState<number | null>(row.days)
  const action = useAction('/retention/update', t('retention'))
  return (
    <>
      <InputNumber
        size="small"
        min={0}
        max={LONGEST_DAYS}
        value={days}
        aria-label={`${t('retention')}: ${row.kindName}`}
        onChange={setDays}
      />{' '}
      <Button
        size="small"
        loading={action.busy}
        disabled={days === row.days}
        onClick={() => action.run({ ...customer, kind: row.kind, days }, () => undefined)}
      >
        {t('save')}
      </Button>
      <Problem text={action.problem} />
    </>
  )
}
