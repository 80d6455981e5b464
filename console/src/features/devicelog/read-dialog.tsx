/** Reads the copy of a text log, page by page; the server searches it. */
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Row } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import { Search } from '@/widgets/list/search'
import styles from './devicelog.module.css'
import type { LogRow } from './rows'

const WIDTH = 900

export function ReadDialog({ row, onClose }: { row: LogRow; onClose(): void }) {
  const { t } = useTranslation('devicelog')
  const [text, setText] = useState('')
  const [offsets, setOffsets] = useState<readonly number[]>([0])
  const offset = offsets.at(-1) ?? 0
  const lines = useCall(
    '/deviceLog/read',
    { id: row.id, text, offset },
    { keep: true, staleTime: Number.POSITIVE_INFINITY },
  )
  const next = lines.data?.nextOffset ?? undefined
  const search = (words: string) => {
    setText(words)
    setOffsets([0])
  }
  return (
    <Modal open width={WIDTH} title={<bdi dir="ltr">{row.name}</bdi>} footer={null} onCancel={onClose}>
      <Row stack gap="m">
        <Search text={text} hint={t('search-lines')} onSearch={search} />
        <QueryView query={lines} isEmpty={({ list }) => list.length === 0} empty={<Nothing why={t('no-lines')} />}>
          {({ list }) => (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
            <section className={styles.lines} dir="ltr" tabIndex={0} aria-label={row.name}>
              {list.map((line) => `${line.text}\n`)}
            </section>
          )}
        </QueryView>
        <Row gap="s">
          <Button disabled={offsets.length === 1} onClick={() => setOffsets(offsets.slice(0, -1))}>
            {t('earlier-lines')}
          </Button>
          <Button
            disabled={next === undefined}
            loading={lines.isPlaceholderData}
            onClick={() => next !== undefined && setOffsets([...offsets, next])}
          >
            {t('later-lines')}
          </Button>
        </Row>
      </Row>
    </Modal>
  )
}
