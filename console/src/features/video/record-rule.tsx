/** When a robot's cameras are recorded by themselves, in a line, and the way to change it. */
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { Button } from '@/shared/controls/button'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { QueryView } from '@/shared/ui/query-view'
import { LEVEL_WORDS } from '@/widgets/alarm/levels'
import { SpaceLine } from '@/widgets/form/quota-line'
import { useDayNames } from '@/widgets/week'
import { RecordRuleDialog } from './record-rule-dialog'
import type { RecordRule } from './rows'

export function RecordRulePanel({ deviceSerialNumber }: { deviceSerialNumber: string }) {
  const { t } = useTranslation('video')
  const may = useMay('device/videoHistory/live')
  const rule = useCall('/qiniuQvs/recordRule', { deviceSerialNumber })
  const [editing, setEditing] = useState(false)
  return (
    <Panel
      title={t('auto-record')}
      extra={
        may && (
          <Button size="small" icon={<IconPencil size={15} />} disabled={!rule.data} onClick={() => setEditing(true)}>
            {t('common:edit')}
          </Button>
        )
      }
    >
      <QueryView query={rule}>
        {(data) => (
          <>
            <Summary rule={data} />
            {data.spaceLimit > 0 && (
              <Row wrap align="center" gap="m" pad="m l" rule="above">
                <Text as="span">{t('recordings')}</Text>
                <SpaceLine used={data.spaceUsed} limit={data.spaceLimit} />
              </Row>
            )}
          </>
        )}
      </QueryView>
      {editing && rule.data && (
        <RecordRuleDialog rule={rule.data} {...{ deviceSerialNumber }} onClose={() => setEditing(false)} />
      )}
    </Panel>
  )
}

function Summary({ rule }: { rule: RecordRule }) {
  const { t } = useTranslation('video')
  const { list, duration } = useFormats()
  const { names } = useDayNames()
  const { cameras, days, startTime, endTime, alarmLevel, alarmSec } = rule
  if (cameras.length === 0 || (days.length === 0 && alarmLevel === 0)) return <Line>{t('auto-off')}</Line>
  const hours = startTime ? `${startTime}–${endTime}` : t('whole-day')
  return (
    <Row stack gap="xs" pad="l">
      <Text as="p">{t('auto-cameras-line', { cameras: list(cameras) })}</Text>
      {days.length > 0 && <Text as="p">{t('auto-plan-line', { days: names(days), hours })}</Text>}
      {alarmLevel > 0 && (
        <Text as="p">
          {t('auto-alarm-line', {
            level: t(`common:${LEVEL_WORDS[alarmLevel] ?? 'level-info'}`),
            time: duration(alarmSec),
          })}
        </Text>
      )}
    </Row>
  )
}

const Line = ({ children }: { children: string }) => (
  <Text tone="soft" pad="l">
    {children}
  </Text>
)
