/** Single sign-on: whom of the provider's the own account is connected with; connecting leads through the provider and back here. */

import { Button } from 'antd'
import { type FormEvent, useEffect, useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { useSession } from '@/shared/session/session'
import { forgetSignedOn, signedOn } from '@/shared/session/signed-on'
import { Fact, Facts } from '@/shared/ui/facts'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { QueryView } from '@/shared/ui/query-view'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { OwnPassword, usePasswordAgain } from '@/widgets/person/own-password'

type Connection = Answer<'/sso/mine'>['list'][number]

export function SignOn({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('people')
  const provider = useSession()?.sso || t('shell:single-sign-on')
  const connections = useCall('/sso/mine', {}, { staleTime: 0 })
  const [ended] = useState(signedOn)
  useEffect(forgetSignedOn, []) // it is said once
  return (
    <Modal
      open
      title={t('shell:single-sign-on')}
      width={640}
      footer={<Button onClick={onClose}>{t('close')}</Button>}
      onCancel={onClose}
    >
      <Text tone="quiet" below="m">
        {t('sso-how', { name: provider })}
      </Text>
      {ended && (ended.problem ? <Problem text={ended.problem} /> : <p role="status">{t('sso-done')}</p>)}
      <QueryView query={connections}>
        {({ list: [connection] }) => (connection ? <Connected connection={connection} /> : <Connect />)}
      </QueryView>
    </Modal>
  )
}

function Connected({ connection }: { connection: Connection }) {
  const { t } = useTranslation('people')
  const { dateTime } = useFormats()
  const action = useAction('/sso/disconnect', t('sso-disconnect'), ['password'])
  const disconnect = () => void action.run(again.payload, () => undefined)
  const again = usePasswordAgain(action, disconnect)
  return (
    <>
      <Row below="panel">
        <Facts>
          <Fact name={t('sso-provider')} ltr>
            {connection.issuer}
          </Fact>
          <Fact name={t('sso-person')} ltr>
            {connection.subject}
          </Fact>
          <Fact name={t('sso-since')}>{dateTime(Date.parse(connection.beganTime))}</Fact>
          <Fact name={t('last-used')}>
            {connection.lastTime ? dateTime(Date.parse(connection.lastTime)) : t('never-used')}
          </Fact>
        </Facts>
      </Row>
      {again.field}
      <Button danger loading={action.busy} onClick={disconnect}>
        {t('sso-disconnect')}
      </Button>
      <Problem text={action.problem} />
    </>
  )
}

function Connect() {
  const { t } = useTranslation('people')
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const action = useAction('/sso/ask', t('sso-connect'), ['password'])
  const send = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const { pathname, search } = location
    if (password) action.run({ password, redirect: pathname + search }, ({ url }) => location.assign(url))
  }
  const fault = tried && !password ? t('required-field') : action.problemAt('password')
  return (
    <form onSubmit={send}>
      <p>{t('sso-none')}</p>
      <OwnPassword value={password} fault={fault} onChange={setPassword} />
      <Row above="l">
        <Button type="primary" htmlType="submit" loading={action.busy}>
          {t('sso-connect')}
        </Button>
      </Row>
      <Problem text={action.problem} />
    </form>
  )
}
