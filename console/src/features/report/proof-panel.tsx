/** Proof of clean: the report as a signed PDF or record, the key that it verifies with, and a check of any such file. */
import { IconCertificate, IconFileTypePdf, IconKey, IconShieldCheck } from '@tabler/icons-react'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { call, raw } from '@/shared/rpc/call'
import type { Answer } from '@/shared/rpc/contract'
import { saveAs } from '@/shared/save-as'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { useAttempt } from '@/widgets/form/use-attempt'
import { toMs } from '@/widgets/time'
import type { Detail } from './detail'

type Verified = Answer<'/taskReport/verifyProof'>

export function ProofPanel({ report: { taskReportId, end } }: { report: Detail }) {
  const { t } = useTranslation('report')
  const [verified, setVerified] = useState<Verified>()
  const { busy, refused, run } = useAttempt()
  const file = useRef<HTMLInputElement>(null)
  if (end === 'running') return null
  const save = (form: 'pdf' | 'json') =>
    run(async () => saveAs(await raw('/taskReport/proof', { taskReportId, form }), `report-${taskReportId}.${form}`))
  const saveKey = () =>
    run(async () => {
      const [key] = (await call('/taskReport/proofKeys', {})).list
      saveAs(new Blob([key?.certificate ?? '']), 'lustra-proof.pem')
    })
  const verify = (chosen: File) =>
    run(async () => call('/taskReport/verifyProof', { content: await base64Of(chosen) }), setVerified)
  return (
    <Panel title={t('proof')}>
      <Row stack gap="m" pad="m panel">
        <Text as="p" size="small" tone="soft">
          {t('proof-how')}
        </Text>
        <Row wrap gap="s">
          <Button icon={<IconFileTypePdf size={16} />} loading={busy} onClick={() => void save('pdf')}>
            PDF
          </Button>
          <Button icon={<IconCertificate size={16} />} disabled={busy} onClick={() => void save('json')}>
            {t('proof-record')}
          </Button>
          <Button icon={<IconKey size={16} />} disabled={busy} onClick={() => void saveKey()}>
            {t('proof-key')}
          </Button>
          <Button icon={<IconShieldCheck size={16} />} disabled={busy} onClick={() => file.current?.click()}>
            {t('proof-verify')}
          </Button>
          <input
            ref={file}
            type="file"
            accept=".pdf,.json"
            hidden
            aria-label={t('proof-verify')}
            onChange={({ target }) => {
              const [chosen] = target.files ?? []
              target.value = ''
              setVerified(undefined)
              if (chosen) void verify(chosen)
            }}
          />
        </Row>
        {verified && <Result verified={verified} />}
        {refused && (
          <Text as="p" size="small" tone="help" role="alert">
            {refused.text}
          </Text>
        )}
      </Row>
    </Panel>
  )
}

function Result({ verified }: { verified: Verified }) {
  const { t } = useTranslation('report')
  const { dateTime } = useFormats()
  const { intact, known, position, deviceSerialNumber, taskName, sealedTime, month, customerName } = verified
  if (!intact)
    return (
      <Text as="p" size="small" tone="help" role="alert">
        {t('proof-altered')}
      </Text>
    )
  const time = dateTime(toMs(sealedTime) ?? 0)
  return (
    <Text as="p" size="small" tone={known ? 'cleaning' : 'paused'} role="status">
      {month
        ? t('proof-intact-month', { month, customer: customerName, time })
        : t('proof-intact', { task: taskName, robot: deviceSerialNumber, position, time })}
      {!known && <> {t('proof-foreign-key')}</>}
    </Text>
  )
}

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^.*?,/, ''))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
