/** Records that a part was replaced: when, and how long the new one had worked before. */
import { Button, DatePicker, InputNumber } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { Field } from '@/widgets/form/field'
import { Outcome } from '@/widgets/form/outcome'
import { useAction } from '@/widgets/form/use-action'
import styles from './upkeep.module.css'

type Part = Answer<'/deviceConsumable/consumableInfo'>['list'][number]

const DAY = 'YYYY-MM-DD'

interface ReplaceProps {
  part: Part
  word: string
  updateTime: string
  onRefresh(): Promise<unknown>
  onDone(): void
}

export function Replace({ part, word, updateTime, onRefresh, onDone }: ReplaceProps) {
  const { t } = useTranslation('upkeep')
  const [day, setDay] = useState(dayjs().format(DAY))
  const [before, setBefore] = useState<number | null>(0)
  const action = useAction('/deviceConsumable/consumableUpdate', t('replace-part'), ['replaceDate', 'usedHours'])
  const send = () =>
    action.run(
      {
        ...{ deviceSerialNumber: part.deviceSerialNumber, item: part.name, usedHours: before ?? 0, updateTime },
        ...(day !== dayjs().format(DAY) && { replaceDate: day }),
      },
      onDone,
    )
  return (
    <div className={styles.replace}>
      <Field label={t('replaced-on')} fault={action.problemAt('replaceDate')}>
        <DatePicker
          value={dayjs(day)}
          maxDate={dayjs()}
          allowClear={false}
          onChange={(chosen) => setDay((chosen ?? dayjs()).format(DAY))}
        />
      </Field>
      <Field label={t('worked-before')} fault={action.problemAt('usedHours')}>
        <InputNumber
          className={styles.full ?? ''}
          dir="ltr"
          controls={false}
          min={0}
          max={1_000_000}
          value={before}
          onChange={setBefore}
        />
      </Field>
      <Button type="primary" loading={action.busy} aria-label={t('record-replacement', { name: word })} onClick={send}>
        {t('save')}
      </Button>
      <Outcome {...{ action, onRefresh }} fields={[part.name]} label={() => word} format={() => ''} />
    </div>
  )
}
