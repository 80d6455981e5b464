/** What is put off, now or as it is planned, until when and by whom; who may ends it. Nothing where nothing is. */

import { Button } from '@/shared/controls/button'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Tag } from '@/shared/marks/tag'
import type { Answer } from '@/shared/rpc/contract'
import { useCall, useSend } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'

type Snooze = Answer<'/warn/listSnoozes'>['list'][number]

export function Snoozes() {
  const { t } = useTranslation('alarm')
  const rows = useCall('/warn/listSnoozes', {}).data?.list ?? []
  if (!rows.length) return null
  return (
    <Panel title={t('snoozed')}>
      <Row as="ul" stack gap="s" pad="m panel">
        {rows.map((row) => (
          <Line key={row.id} row={row} />
        ))}
      </Row>
    </Panel>
  )
}

function Line({ row }: { row: Snooze }) {
  const { t } = useTranslation('alarm')
  const { dateTime } = useFormats()
  const mayEnd = useMay('warn/index/warn/resume')
  const end = useSend('/warn/endSnooze', { action: t('end-snooze') })
  const from = dateTime(Date.parse(row.since))
  const until = dateTime(Date.parse(row.until))
  const scope = row.content || t('snooze-all')
  return (
    <Row as="li" wrap gap="m" align="center">
      <Tag tone="paused">{row.begun ? t('until', { time: until }) : t('from-until', { from, until })}</Tag>
      <span>
        <bdi>{row.deviceCode}</bdi> · {scope}
      </span>
      <Text as="span" tone="soft">
        <bdi>{[row.note, row.by].filter(Boolean).join(' · ')}</bdi>
      </Text>
      {mayEnd && (
        <Button
          size="small"
          loading={end.isPending}
          aria-label={`${t('end-snooze')}: ${row.deviceCode}, ${scope}`}
          onClick={() => end.mutate({ id: row.id })}
        >
          {t('end-snooze')}
        </Button>
      )}
    </Row>
  )
}
