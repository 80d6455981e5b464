/** What is known of one alarm, what to do about it, and the ways to do it. */
import { Link, useMatch } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useMay } from '@/shared/session/session'
import { Fact, Facts } from '@/shared/ui/facts'
import { Row, Text } from '@/shared/ui/layout'
import { wayOut } from '@/widgets/alarm/way-out'
import { LinkButton } from '@/widgets/list/link-button'
import { alarmPath, alarmsOfGroup, controlPath, infoPath } from '@/widgets/paths'
import { NotificationHistory } from './notifications/history'
import type { AlarmRow } from './rows'

export function AlarmDetails({ row }: { row: AlarmRow }) {
  const { t } = useTranslation('alarm')
  const { exact } = useFormats()
  const mayControl = useMay('device_control/index')
  const mayInfo = useMay('device/info')
  const here = useMatch(alarmPath(row.warnId)) !== null
  const mayReplay = useMay('index/realWarn') && !here
  const way = wayOut(row.code)
  const causeName = ({ groupCause: cause, groupName: name }: AlarmRow) =>
    cause === '' || cause === 'building' ? name : t(`cause-${cause}`, { name })
  const at = (time: string) => exact(Date.parse(time))
  return (
    <Row stack gap="m" pad="m panel">
      {way && (
        <Text>
          <b>{t('what-to-do')}:</b> {t(`control:${way}`)}
        </Text>
      )}
      <Facts>
        {row.detail && (
          <Fact name={t('robot-says')}>
            <bdi>{row.detail}</bdi>
          </Fact>
        )}
        {row.groupId !== null && (
          <Fact name={t('one-cause')}>
            <Link to={alarmsOfGroup(row.groupId)}>{t('in-group', { count: row.groupCount })}</Link>
            {row.groupName && <bdi> · {causeName(row)}</bdi>}
          </Fact>
        )}
        {row.count > 1 && <Fact name={t('last-raised')}>{at(row.lastTime)}</Fact>}
        {row.mapName && (
          <Fact name={t('common:map')}>
            <bdi>{row.mapName}</bdi>
          </Fact>
        )}
        {row.clearedTime && <Fact name={t('cause-gone')}>{at(row.clearedTime)}</Fact>}
        {row.resolveDate && (
          <Fact name={t('common:alarm-resolved')}>
            {row.resolvedBy
              ? t('resolved-by', { time: at(row.resolveDate), name: row.resolvedBy })
              : t('resolved-by-cause', { time: at(row.resolveDate) })}
          </Fact>
        )}
      </Facts>
      <Row wrap gap="m">
        {mayReplay && (
          <LinkButton size="small" type="primary" to={alarmPath(row.warnId)}>
            {t('see-replay')}
          </LinkButton>
        )}
        {mayControl && (
          <LinkButton size="small" to={controlPath(row)}>
            {t('open-control')}
          </LinkButton>
        )}
        {mayInfo && (
          <LinkButton size="small" to={infoPath(row.deviceId)}>
            {t('common:device-details')}
          </LinkButton>
        )}
      </Row>
      {/* comes later than the rest, so it stands where it moves no button */}
      <NotificationHistory warnId={row.warnId} />
    </Row>
  )
}
