/** All runs of a month on paper: of whom, of which month, as a sealed PDF or as its record. */
import { IconCertificate, IconFileTypePdf } from '@tabler/icons-react'
import { Button, DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { raw } from '@/shared/rpc/call'
import { saveAs } from '@/shared/save-as'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Field, Problem } from '@/widgets/form/field'
import { OwnerTree } from '@/widgets/form/owner-tree'
import { useAttempt } from '@/widgets/form/use-attempt'

const WIRE = 'YYYY-MM'

export function MonthDialog({ owner, onClose }: { owner: number | undefined; onClose(): void }) {
  const { t } = useTranslation('report')
  const [month, setMonth] = useState<Dayjs>(() => dayjs().subtract(1, 'month'))
  const [customer, setCustomer] = useState(owner)
  const { busy, refused, reset, run } = useAttempt([], t('month-report'))
  const save = (form: 'pdf' | 'json') => {
    const name = month.format(WIRE)
    const payload = { month: name, form, ...(customer !== undefined && { userId: customer }) }
    void run(async () => saveAs(await raw('/taskReport/month', payload), `report-${name}.${form}`))
  }
  return (
    <Modal
      open
      title={t('month-report')}
      onCancel={onClose}
      footer={
        <Row wrap gap="m" justify="end" align="center">
          <Button onClick={onClose}>{t('close')}</Button>
          <Button icon={<IconCertificate size={16} />} disabled={busy} onClick={() => save('json')}>
            {t('proof-record')}
          </Button>
          <Button type="primary" icon={<IconFileTypePdf size={16} />} loading={busy} onClick={() => save('pdf')}>
            PDF
          </Button>
        </Row>
      }
    >
      <Text tone="quiet" below="m">
        {t('month-how')}
      </Text>
      <Row stack gap="m">
        <Field label={t('month')}>
          <DatePicker
            picker="month"
            allowClear={false}
            value={month}
            disabledDate={(day) => day.isAfter(dayjs(), 'month')}
            onChange={(chosen) => {
              reset()
              setMonth(chosen ?? month)
            }}
          />
        </Field>
        <Field label={t('customer')}>
          <OwnerTree
            value={customer}
            onChange={(chosen) => {
              reset()
              setCustomer(chosen)
            }}
          />
        </Field>
      </Row>
      <Problem text={refused?.text} />
    </Modal>
  )
}
