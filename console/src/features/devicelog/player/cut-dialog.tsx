/** A part of a recording as a file of its own: from a second to a second, of all topics or of some. */
import { InputNumber, Select } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'

const S_MS = 1000
const AROUND_S = 10
const DECIMALS = 1

interface Props {
  recording: Answer<'/deviceLog/openRecording'>
  /** s */
  length: number
  second: number
  onClose(): void
}

export function CutDialog({ recording, length, second, onClose }: Props) {
  const { t } = useTranslation('devicelog')
  const { exact } = useFormats()
  const longest = Math.ceil(length * 10) / 10
  const [from, setFrom] = useState(Math.max(0, round(second - AROUND_S)))
  const [to, setTo] = useState(Math.min(longest, round(second + AROUND_S)))
  const [topics, setTopics] = useState<string[]>([])
  const action = useAction('/deviceLog/cutUrl', t('common:download'), ['startTime', 'endTime', 'topics'])
  const begin = Date.parse(recording.start)
  const at = (seconds: number) => begin + seconds * S_MS
  const iso = (seconds: number) => new Date(at(seconds)).toISOString()
  const download = () =>
    void action.run({ id: recording.id, startTime: iso(from), endTime: iso(to), topics }, (url) => {
      location.assign(url)
      onClose()
    })
  const limits = { min: 0, max: longest, step: 1, precision: DECIMALS }
  return (
    <Modal
      open
      title={t('cut')}
      okText={t('common:download')}
      cancelText={t('common:cancel')}
      okButtonProps={{ loading: action.busy }}
      onOk={download}
      onCancel={onClose}
    >
      <Row stack gap="m">
        <Text tone="quiet">{t('cut-how')}</Text>
        <Row gap="l" wrap>
          <Field label={t('cut-from')} hint={exact(at(from))} fault={action.problemAt('startTime')}>
            <InputNumber
              aria-label={t('cut-from')}
              {...limits}
              value={from}
              onChange={(value) => setFrom(value ?? 0)}
            />
          </Field>
          <Field label={t('cut-to')} hint={exact(at(to))} fault={action.problemAt('endTime')}>
            <InputNumber
              aria-label={t('cut-to')}
              {...limits}
              value={to}
              onChange={(value) => setTo(value ?? longest)}
            />
          </Field>
        </Row>
        <Field label={t('topics')} fault={action.problemAt('topics')}>
          <Select
            mode="multiple"
            aria-label={t('topics')}
            allowClear
            placeholder={t('every-topic')}
            value={topics}
            options={recording.topics.map(({ name }) => ({ value: name, label: <bdi dir="ltr">{name}</bdi> }))}
            onChange={setTopics}
          />
        </Field>
        <Problem text={action.problem} />
      </Row>
    </Modal>
  )
}

const round = (seconds: number) => Math.round(seconds * 10) / 10
