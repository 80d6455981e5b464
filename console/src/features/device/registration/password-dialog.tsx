/** The password of a robot's own system: each look is recorded, and it is shown until the dialog closes. */

import { IconCheck, IconCopy } from '@tabler/icons-react'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useMay } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { Problem, Warning } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { DialogProps } from '../dialog-props'
import styles from '../dialogs.module.css'

const RECORDS = '/device/index/device/selectViewPwdPageList'

export function PasswordDialog({ row, onClose }: DialogProps) {
  const { t } = useTranslation('asset')
  const mayView = useMay('device/index/view_password')
  const mayReset = useMay('device/index/reset_password')
  const mayRecords = useMay('device/index/device/selectViewPwdPageList')
  const [answer, setAnswer] = useState<Answer<'/device/selectPasswordByDeviceId'>>()
  const view = useAction('/device/selectPasswordByDeviceId', t('show-password'))
  const reset = useAction('/device/resetPassword', t('reset'))
  const of = { deviceId: row.deviceId }
  const renew = () =>
    reset.run(of, () => {
      notice('success', t('password-comes', { name: row.deviceCode }))
      onClose()
    })
  return (
    <Modal
      open
      title={t('password-of', { name: row.deviceCode })}
      onCancel={onClose}
      footer={
        <>
          {mayReset && (
            <Button loading={reset.busy} onClick={renew}>
              {t('reset')}
            </Button>
          )}
          {mayView && !answer && (
            <Button type="primary" loading={view.busy} onClick={() => view.run(of, setAnswer)}>
              {t('show-password')}
            </Button>
          )}
          {answer && (
            <Button type="primary" onClick={onClose}>
              {t('close')}
            </Button>
          )}
        </>
      }
    >
      <Text tone="quiet" below="m">
        {t('password-how')}{' '}
        {mayRecords && (
          <Link to={`${RECORDS}?serial=${row.deviceSerialNumber}`} onClick={onClose}>
            {t('password-access-records')}
          </Link>
        )}
      </Text>
      {answer && <Secret answer={answer} />}
      <Problem text={view.problem ?? reset.problem} />
    </Modal>
  )
}

function Secret({ answer }: { answer: Answer<'/device/selectPasswordByDeviceId'> }) {
  const { t } = useTranslation('asset')
  const { dateTime } = useFormats()
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(answer.password)
    setCopied(true)
  }
  const Mark = copied ? IconCheck : IconCopy
  return (
    <>
      <Row gap="l" align="center" className={styles.code}>
        <bdi dir="ltr" data-password>
          {answer.password}
        </bdi>
        {/* Browsers give a clipboard to secure origins only; elsewhere the text is marked by hand. */}
        {navigator.clipboard && (
          <Button size="small" icon={<Mark size={15} stroke={1.75} />} onClick={() => void copy()}>
            {t('copy')}
          </Button>
        )}
      </Row>
      <Text size="small" tone="soft" above="xs" className={styles.remark}>
        {t('password-since', { time: dateTime(Date.parse(answer.setTime)) })}
      </Text>
      {answer.coming && <Warning>{t('password-coming')}</Warning>}
    </>
  )
}
