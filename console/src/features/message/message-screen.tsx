/** /message/index: one's own messages, the unread ones first. */
import { Page } from '@/shared/ui/panel'
import { MessageList } from './message-list'

export function MessageScreen() {
  return (
    <Page>
      <MessageList read={0} />
      <MessageList read={1} />
    </Page>
  )
}
