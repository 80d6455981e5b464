/** One spot check: each grade, the machine's share beside it, the note and the photo. */
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { raw } from '@/shared/rpc/call'
import { Fact, Facts } from '@/shared/ui/facts'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { QueryView } from '@/shared/ui/query-view'
import { toMs } from '@/widgets/time'
import { type CheckRow, GRADE_WORDS, type Grade, ITEM_WORDS, ITEMS } from './row'
import { Score } from './score'
import styles from './spot-check.module.css'
import { usePlaceName, useZoneName } from './zone'

export function CheckDialog({ check, onClose }: { check: CheckRow; onClose(): void }) {
  const { t } = useTranslation('spotcheck')
  const { percent, dateTime } = useFormats()
  const zone = useZoneName()(check)
  const place = usePlaceName()(check)
  const { items, run, note, inspector, hasPhoto } = check
  const time = dateTime(toMs(check.time) ?? 0)
  return (
    <Modal open title={<bdi>{zone}</bdi>} footer={<Button onClick={onClose}>{t('close')}</Button>} onCancel={onClose}>
      <Row stack gap="l">
        <Row wrap gap="m" align="center">
          <Score score={check.score} />
          <Text as="span" tone="quiet">
            <bdi>{place}</bdi>
          </Text>
        </Row>
        <Facts ends>
          {ITEMS.map((item) => {
            const grade = items[item] as Grade | undefined
            return (
              <Fact key={item} name={t(ITEM_WORDS[item])}>
                {grade === undefined ? t('not-looked-at') : `${grade} · ${t(GRADE_WORDS[grade])}`}
              </Fact>
            )
          })}
          <Fact name={t('common:machine-coverage')}>
            {run ? `${percent(run.coverage / 1000, 1)} · ${dateTime(toMs(run.endTime) ?? 0)}` : '–'}
          </Fact>
          <Fact name={t('inspector')}>
            <bdi>{inspector || '–'}</bdi> · {time}
          </Fact>
        </Facts>
        {note && (
          <Text className={styles.note}>
            <bdi>{note}</bdi>
          </Text>
        )}
        {hasPhoto && <Photo id={check.id} label={t('photo-of', { zone })} />}
      </Row>
    </Modal>
  )
}

function Photo({ id, label }: { id: number; label: string }) {
  const query = useQuery({
    queryKey: ['spotCheck', 'photo', id],
    queryFn: ({ signal }) => raw('/spotCheck/photo', { id }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return <QueryView query={query}>{(content) => <Picture content={content} label={label} />}</QueryView>
}

function Picture({ content, label }: { content: Blob; label: string }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const address = URL.createObjectURL(content)
    setUrl(address)
    return () => URL.revokeObjectURL(address)
  }, [content])
  return url ? <img className={styles.photo} src={url} alt={label} /> : null
}
