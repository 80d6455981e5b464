/** Spot checks after a run: a person's grade beside what the run swept of that zone; nothing where nobody graded. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { toMs } from '@/widgets/time'

export function ChecksPanel({ taskReportId }: { taskReportId: number }) {
  const { t } = useTranslation('report')
  const { number, percent, dateTime } = useFormats()
  const may = useMay('device/spotCheck')
  const checks = useCall('/spotCheck/list', { taskReportId }, { enabled: may }).data?.list ?? []
  if (checks.length === 0) return null
  return (
    <Panel title={t('common:spot-checks')}>
      <Row stack gap="m" pad="m panel" size="small">
        <Text tone="soft">{t('spot-how')}</Text>
        <Row as="ul" stack gap="m">
          {checks.map(({ id, name, score, run, note, inspector, time }) => (
            <Row as="li" key={id} stack>
              <Row wrap gap="m" justify="between">
                <b>
                  <bdi>{name || t('common:whole-floor')}</bdi>
                </b>
                <span>
                  <b>{t('grade-of', { score: number(score, 1) })}</b>
                  {run && (
                    <>
                      {' · '}
                      {t('common:machine-coverage')} {percent(run.coverage / 1000, 1)}
                    </>
                  )}
                </span>
              </Row>
              <Text as="span" tone="soft">
                <bdi>{inspector}</bdi> · {dateTime(toMs(time) ?? 0)}
                {note && (
                  <>
                    {' · '}
                    <bdi>{note}</bdi>
                  </>
                )}
              </Text>
            </Row>
          ))}
        </Row>
      </Row>
    </Panel>
  )
}
