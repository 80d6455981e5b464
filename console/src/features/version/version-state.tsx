/** Whether robots may take a version: a mark and a word. */
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from '@/shared/i18n/text'
import { Tag } from '@/shared/marks/tag'

interface Props {
  on: boolean
  /** Firmware is enabled or disabled; all else is published or not. */
  words?: 'published' | 'enabled'
}

const STATE_WORDS = {
  published: { on: 'common:published', off: 'common:unpublished' },
  enabled: { on: 'common:enabled', off: 'common:disabled' },
} as const

export function VersionState({ on, words = 'published' }: Props) {
  const { t } = useTranslation('version')
  const Mark = on ? IconCircleCheck : IconCircle
  return (
    <Tag tone={on ? 'cleaning' : 'idle'}>
      <Mark size={14} stroke={2} aria-hidden="true" />
      {t(STATE_WORDS[words][on ? 'on' : 'off'])}
    </Tag>
  )
}
