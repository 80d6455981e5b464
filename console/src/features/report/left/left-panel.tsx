/** The places that a run left, why, and one press that makes a task group of them on its robot. */
import { IconRefresh } from '@tabler/icons-react'
import { Button } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useMay } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { useAttempt } from '@/widgets/form/use-attempt'
import { LinkButton } from '@/widgets/list/link-button'
import { useOnline } from '@/widgets/robot/online'
import styles from '../coverage-panel.module.css'
import type { Detail } from '../detail'
import { useCleanLeft } from './clean-left'
import { cleanable, type LeftPatch, type NotCleaned } from './not-cleaned'

interface Props {
  report: Detail
  left: NotCleaned | undefined
}

export function LeftPanel({ report, left }: Props) {
  const { t } = useTranslation('report')
  const { area } = useFormats()
  const patches = cleanable(left)
  if (patches.length === 0) return null
  return (
    <Panel title={t('not-cleaned')} extra={area(areaOf(patches)).text}>
      <Row stack gap="m" pad="m panel">
        <ul className={styles.legend}>
          {patches.map((patch) => (
            <Patch key={`${patch.at}`} patch={patch} report={report} />
          ))}
        </ul>
        <CleanLeft report={report} patches={patches} />
      </Row>
    </Panel>
  )
}

const areaOf = (patches: readonly LeftPatch[]) => patches.reduce((sum, patch) => sum + patch.area, 0)

function Patch({ patch, report }: { patch: LeftPatch; report: Detail }) {
  const { t } = useTranslation('report')
  const { area, number } = useFormats()
  const { kind, room, content, times } = patch
  return (
    <Row as="li" gap="m" align="start" size="control">
      <i data-part={kind} aria-hidden="true" />
      <Row stack grow>
        <Text as="span" strong>
          {t(kind)}
          {room && (
            <>
              {' · '}
              <bdi>{room}</bdi>
            </>
          )}
        </Text>
        <Text as="span" size="small" tone="soft">
          {content || (report.end === 'finished' ? t('passed-over') : t('ended-before'))}
        </Text>
        {times > 1 && (
          <Text as="span" size="small" tone="help">
            {t('same-place', { number: number(times) })}
          </Text>
        )}
      </Row>
      <Text as="span" strong>
        {area(patch.area).text}
      </Text>
    </Row>
  )
}

function CleanLeft({ report, patches }: { report: Detail; patches: readonly LeftPatch[] }) {
  const { t } = useTranslation('report')
  const { area } = useFormats()
  const may = useMay('device/taskList')
  const online = useOnline(report.deviceId)
  const cleanLeft = useCleanLeft(report)
  const { busy, run, refused } = useAttempt()
  const [group, setGroup] = useState<string>()
  if (!may) return null
  if (group !== undefined)
    return (
      <Row stack gap="m" role="status">
        <Text as="p" size="small">
          {t('left-ready', { name: group })}
        </Text>
        <LinkButton to={`/device/taskList?by=robot&deviceId=${report.deviceId}&part=groups`}>
          {t('to-groups')}
        </LinkButton>
      </Row>
    )
  return (
    <Row stack gap="s">
      <Button
        type="primary"
        icon={<IconRefresh size={16} stroke={1.75} />}
        loading={busy}
        disabled={!online}
        onClick={() => void run(() => cleanLeft(patches), setGroup)}
      >
        {t('clean-left', { area: area(areaOf(patches)).text })}
      </Button>
      <Text as="p" size="small" tone="soft">
        {t(online ? 'clean-left-how' : 'map:robot-offline')}
      </Text>
      {refused && (
        <Text as="p" size="small" tone="help" role="alert">
          {refused.text}
        </Text>
      )}
    </Row>
  )
}
