/**
 * /device/spotCheck/grade: what a sheet on the wall opens on a phone. A person grades the zone that they stand in, beside
 * what the machine says it swept of it. What is typed or photographed stays in the browser until it is sent.
 */
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '@/shared/controls/button'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { Page, Panel } from '@/shared/ui/panel'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import { useSubject } from '@/shared/ui/subject'
import { LinkButton } from '@/widgets/list/link-button'
import { toMs } from '@/widgets/time'
import { GradeForm } from './grade-form'
import { Score } from './score'
import styles from './spot-check.module.css'
import { usePlaceName, useZoneName } from './zone'

const LIST = '/device/spotCheck'

export function GradeScreen() {
  const { t } = useTranslation('spotcheck')
  const [query] = useSearchParams()
  const mapId = Number(query.get('map'))
  const room = query.get('room') ?? ''
  const valid = Number.isSafeInteger(mapId) && mapId > 0
  const zone = useCall('/spotCheck/zone', { mapId, room }, { enabled: valid })
  if (!valid) return <Nothing why={t('no-zone')} action={<LinkButton to={LIST}>{t('to-list')}</LinkButton>} />
  return (
    <Page className={styles.phone}>
      <QueryView query={zone}>{(view) => <Zone key={`${mapId} ${room}`} {...{ mapId, room, view }} />}</QueryView>
    </Page>
  )
}

interface Props {
  mapId: number
  room: string
  view: Answer<'/spotCheck/zone'>
}

function Zone({ mapId, room, view }: Props) {
  const { t } = useTranslation('spotcheck')
  const [score, setScore] = useState<number>()
  const zone = useZoneName()(view)
  const place = usePlaceName()(view)
  useSubject(zone)
  return (
    <>
      <Row as="header" stack>
        <Text as="h2" size="title">
          <bdi>{zone}</bdi>
        </Text>
        <Text tone="quiet">
          <bdi>{place}</bdi>
        </Text>
      </Row>
      <Machine run={view.run} />
      {score === undefined ? (
        <GradeForm {...{ mapId, room, zone }} onSaved={setScore} />
      ) : (
        <Panel title={t('saved')}>
          <Row stack gap="l" pad="l panel" role="status">
            <Row gap="m" align="center" wrap>
              <Score score={score} />
              <bdi>{zone}</bdi>
            </Row>
            <Row wrap gap="m">
              <LinkButton to={LIST}>{t('to-list')}</LinkButton>
              <Button onClick={() => setScore(undefined)}>{t('grade-again')}</Button>
            </Row>
          </Row>
        </Panel>
      )}
    </>
  )
}

function Machine({ run }: { run: Answer<'/spotCheck/zone'>['run'] }) {
  const { t } = useTranslation('spotcheck')
  const { percent, dateTime } = useFormats()
  if (!run) return <Text tone="quiet">{t('machine-none')}</Text>
  return (
    <Text tone="quiet">
      {t('machine-last', { coverage: percent(run.coverage / 1000, 1), time: dateTime(toMs(run.endTime) ?? 0) })}
    </Text>
  )
}
