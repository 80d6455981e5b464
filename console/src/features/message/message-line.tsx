/** One message: what happened, when, and what can be done with it. */
import { IconCheck, IconTrash } from '@tabler/icons-react'
import { Button } from 'antd'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useSend } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import styles from './message.module.css'

type Message = Answer<'/message/findAllMessage'>['list'][number]

const ICON = { size: 16, stroke: 1.75 } as const

export function MessageLine({ message }: { message: Message }) {
  const { t } = useTranslation('message')
  const { dateTime } = useFormats()
  const mark = useSend('/message/updateMessageRead', { action: t('mark-read') })
  const remove = useSend('/message/updateMessageDelete', { action: t('delete') })
  const at = Date.parse(message.time)
  const named = (word: string) => `${word}: ${message.title}, ${dateTime(at)}`
  return (
    <Row
      as="li"
      gap="xl"
      lines="xs"
      align="start"
      pad="m panel"
      size="control"
      rule="above"
      className={styles.line}
      data-unread={!message.read || undefined}
    >
      <Row stack grow className={styles.text}>
        <Text as="h3" size="control" strong={!message.read}>
          {message.title}
        </Text>
        <Text tone="quiet">{message.content}</Text>
      </Row>
      <small>
        <time dateTime={message.time}>{dateTime(at)}</time>
      </small>
      <Row as="span" justify="end" className={styles.actions}>
        {!message.read && (
          <Button
            type="text"
            size="small"
            icon={<IconCheck {...ICON} />}
            loading={mark.isPending}
            aria-label={named(t('mark-read'))}
            title={t('mark-read')}
            onClick={() => mark.mutate({ id: message.id })}
          />
        )}
        <Button
          type="text"
          size="small"
          icon={<IconTrash {...ICON} />}
          loading={remove.isPending}
          aria-label={named(t('delete'))}
          title={t('delete')}
          onClick={() => remove.mutate({ id: message.id })}
        />
      </Row>
    </Row>
  )
}
