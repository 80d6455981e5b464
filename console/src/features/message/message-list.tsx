/** The unread messages, or the read ones, the newest first, page by page. */
import { IconChecks } from '@tabler/icons-react'
import { Button } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCall, useSend } from '@/shared/rpc/hooks'
import { Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { QueryView } from '@/shared/ui/query-view'
import { Pages } from '@/widgets/list/pages'
import styles from './message.module.css'
import { MessageLine } from './message-line'

const PAGE = 12

export function MessageList({ read }: { read: 0 | 1 }) {
  const { t } = useTranslation('message')
  const { number } = useFormats()
  const [page, setPage] = useState(1)
  const messages = useCall('/message/findAllMessage', { read, currentPage: page, pageSize: PAGE }, { keep: true })
  const total = messages.data?.total ?? 0
  // What leaves this list may take its last page along.
  const last = Math.max(1, Math.ceil(total / PAGE))
  if (messages.data && page > last) setPage(last)
  const all = useSend('/message/readAll')
  const count = total > 0 && number(total)
  return (
    <Panel
      title={t(read ? 'read' : 'unread')}
      extra={
        read || total === 0 ? (
          count
        ) : (
          <>
            {count}
            <Button
              type="text"
              size="small"
              icon={<IconChecks size={16} stroke={1.75} aria-hidden="true" />}
              loading={all.isPending}
              onClick={() => all.mutate({})}
            >
              {t('mark-all-read')}
            </Button>
          </>
        )
      }
    >
      <QueryView
        query={messages}
        isEmpty={({ list }) => list.length === 0}
        empty={
          <Text tone="soft" pad="xxs panel" below="panel">
            {t(read ? 'no-read' : 'no-unread')}
          </Text>
        }
      >
        {({ list }) => (
          <>
            <ul>
              {list.map((message) => (
                <MessageLine key={message.id} message={message} />
              ))}
            </ul>
            <Pages className={styles.foot} page={page} size={PAGE} total={total} onPage={setPage} />
          </>
        )}
      </QueryView>
    </Panel>
  )
}
