/** A code that lets one robot in: two minutes, one use. */

import { Button, Input } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { LaneProgress } from '@/shared/marks/lanes'
import { LIMITS } from '@/shared/rpc/limits'
import { useMay } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { DialogProps } from '../dialog-props'
import styles from '../dialogs.module.css'
import { CodeFields } from './code-fields'
import { CodesDialog } from './codes-dialog'
import { RULES } from './field-rules'

const LIFE_MS = 120_000

export function CodeDialog({ onClose }: Pick<DialogProps, 'onClose'>) {
  const { t } = useTranslation('asset')
  const [owner, setOwner] = useState<number>()
  const [type, setType] = useState<number>()
  const [serial, setSerial] = useState('')
  const [given, setGiven] = useState<{ code: string; at: number }>()
  const may = useMay('device/index/authCodes')
  const [many, setMany] = useState(false)
  const action = useAction('/device/deviceGenerateAuthCode', t('make-code'), ['deviceSerialNumber', 'userId'])
  const wrong = serial.trim() ? RULES.serial(serial, {}) : undefined
  const make = () =>
    action.run(
      {
        ...(owner !== undefined && { userId: owner }),
        ...(type !== undefined && { deviceType: type }),
        ...(serial.trim() && { deviceSerialNumber: serial.trim() }),
      },
      (code) => setGiven({ code, at: Date.now() }),
    )
  if (many) return <CodesDialog onClose={onClose} />
  return (
    <Modal
      open
      title={t('authorisation-code')}
      onCancel={onClose}
      footer={
        <>
          {may && <Button onClick={() => setMany(true)}>{t('codes-for-many')}</Button>}
          <Button type={given ? 'default' : 'primary'} loading={action.busy} disabled={Boolean(wrong)} onClick={make}>
            {given ? t('another-code') : t('make-code')}
          </Button>
        </>
      }
    >
      <Text tone="quiet" below="m">
        {t('code-how')}
      </Text>
      {given && <Running key={given.at} code={given.code} at={given.at} />}
      <CodeFields
        owner={owner}
        onOwner={setOwner}
        ownerFault={action.problemAt('userId')}
        type={type}
        onType={setType}
      />
      <Field
        label={t('serial-number')}
        hint={t('code-serial-how')}
        fault={wrong ? t(wrong) : action.problemAt('deviceSerialNumber')}
      >
        <Input
          dir="ltr"
          value={serial}
          maxLength={LIMITS['/device/deviceGenerateAuthCode'].deviceSerialNumber.maxLength}
          autoComplete="off"
          onChange={(e) => setSerial(e.target.value)}
        />
      </Field>
      <Problem text={action.problem} />
    </Modal>
  )
}

const clock = (ms: number) => {
  const seconds = Math.ceil(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

function Running({ code, at }: { code: string; at: number }) {
  const { t } = useTranslation('asset')
  const [now, setNow] = useState(Date.now())
  const left = Math.max(0, at + LIFE_MS - now)
  useEffect(() => {
    const beat = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(beat)
  }, [])
  return (
    <>
      <Row gap="l" align="center" className={styles.code}>
        <bdi dir="ltr" data-code style={left === 0 ? { textDecoration: 'line-through' } : undefined}>
          {code}
        </bdi>
        <span role="timer" style={{ marginInlineStart: 'auto' }}>
          {left > 0 ? t('code-left', { time: clock(left) }) : t('code-over')}
        </span>
      </Row>
      <LaneProgress ratio={left / LIFE_MS} label={t('authorisation-code')} />
    </>
  )
}
