/** /index: who needs somebody, what the floors look like now, how far the day's work is. */
import { useTranslation } from '@/shared/i18n/text'
import { useShow } from '@/shared/live/live'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Boundary } from '@/shared/ui/boundary'
import { Row } from '@/shared/ui/layout'
import { Page } from '@/shared/ui/panel'
import { Loading, Nothing, QueryView } from '@/shared/ui/query-view'
import { DiskNotice } from './disk-notice'
import { HeadBand } from './head-band'
import { HistoryLine } from './history-line'
import { LiveFloors } from './live-floors'
import { NeedsYou } from './needs-you'
import { SitesTable } from './sites-table'
import { Skeleton } from './skeleton'
import styles from './status.module.css'

export function StatusScreen() {
  const { t } = useTranslation('status')
  const overview = useCall('/board/overview')
  const count = useCall('/device/selectDeviceCount', {})
  const seesRobots = useMay('device/index')
  useShow({ counts: true })
  return (
    <Page>
      <DiskNotice />
      <QueryView
        query={overview}
        loading={<Loading shape={<Skeleton />} />}
        isEmpty={({ sites }) => sites.length === 0 && count.data?.total === 0}
        empty={<Nothing why={t('no-robots')} />}
      >
        {(board) => (
          <>
            <Boundary>
              <HeadBand board={board} count={count.data} />
            </Boundary>
            {!board.history.done && <HistoryLine progress={board.history.progress} />}
            <div className={styles.columns}>
              <Row stack gap="m">
                {seesRobots && (
                  <Boundary>
                    <LiveFloors floors={board.floors} />
                  </Boundary>
                )}
                <Boundary>
                  <SitesTable sites={board.sites} />
                </Boundary>
              </Row>
              {seesRobots && (
                <Boundary>
                  <NeedsYou />
                </Boundary>
              )}
            </div>
          </>
        )}
      </QueryView>
    </Page>
  )
}
