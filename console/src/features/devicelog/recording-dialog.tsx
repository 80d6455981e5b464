/** What is in a recording of sensors: when it was made, its topics, and messages that bear a wrong time. */

import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Fact, Facts } from '@/shared/ui/facts'
import { Row } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { QueryView } from '@/shared/ui/query-view'
import table from '@/shared/ui/table.module.css'
import { Warning } from '@/widgets/form/field'
import { Player } from './player/player'

type Recording = Answer<'/deviceLog/openRecording'>

const WIDTH = 1000
const S_MS = 1000

export function RecordingDialog({ id, onClose }: { id: number; onClose(): void }) {
  const { t } = useTranslation('devicelog')
  const recording = useCall('/deviceLog/openRecording', { id }, { staleTime: Number.POSITIVE_INFINITY })
  const title = recording.data ? <bdi dir="ltr">{recording.data.name}</bdi> : t('common:recording')
  return (
    <Modal open width={WIDTH} title={title} footer={null} onCancel={onClose}>
      <QueryView query={recording}>{(contents) => <Contents recording={contents} />}</QueryView>
    </Modal>
  )
}

function Contents({ recording }: { recording: Recording }) {
  const { t } = useTranslation('devicelog')
  const { dateTime, duration, number } = useFormats()
  const { start, end, count, outside } = recording
  return (
    <Row stack gap="l">
      <Facts>
        <Fact name={t('common:start-time')}>{dateTime(Date.parse(start))}</Fact>
        <Fact name={t('common:duration')}>{duration((Date.parse(end) - Date.parse(start)) / S_MS)}</Fact>
        <Fact name={t('messages')}>{number(count)}</Fact>
      </Facts>
      {outside > 0 && (
        <Warning>
          {t('outside')}: {number(outside)}. {t('outside-how')}
        </Warning>
      )}
      <Player recording={recording} />
      <Topics topics={recording.topics} />
    </Row>
  )
}

function Topics({ topics }: Pick<Recording, 'topics'>) {
  const { t } = useTranslation('devicelog')
  const { number } = useFormats()
  return (
    <div className={table.box}>
      <table className={`${table.table} ${table.soft}`} aria-label={t('topics')}>
        <thead>
          <tr>
            <th scope="col">{t('topic')}</th>
            <th scope="col">{t('message-type')}</th>
            <th scope="col" data-number>
              {t('messages')}
            </th>
            <th scope="col" data-number>
              {t('outside')}
            </th>
          </tr>
        </thead>
        <tbody>
          {topics.map(({ name, type, count, outside }) => (
            <tr key={`${name} ${type}`}>
              <th scope="row">
                <bdi dir="ltr">{name}</bdi>
              </th>
              <td>
                <bdi dir="ltr">{type}</bdi>
              </td>
              <td data-number>{number(count)}</td>
              <td data-number>{number(outside)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
