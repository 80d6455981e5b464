/** The painted floor of a report in its row; asked for when the row comes into sight. */
import { useRef } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { useInView } from '@/widgets/map/use-in-view'
import type { Detail } from './detail'
import { Picture, useReportFloor } from './picture'
import styles from './report-table.module.css'

interface Props {
  id: number
  running: boolean
}

export function Thumbnail({ id, running }: Props) {
  const box = useRef<HTMLSpanElement>(null)
  const seen = useInView(box)
  return (
    <span ref={box} className={styles.thumbnail}>
      {seen && <Fetched id={id} running={running} />}
    </span>
  )
}

const FOR_EVER = Number.POSITIVE_INFINITY // a report that is done never changes
const MINUTE_MS = 60_000

function Fetched({ id, running }: Props) {
  const detail = useCall('/taskReport/detail', { taskReportId: id }, { staleTime: running ? MINUTE_MS : FOR_EVER })
  return detail.data ? <Painted report={detail.data} /> : null
}

function Painted({ report }: { report: Detail }) {
  const { t } = useTranslation('report')
  const floor = useReportFloor(report)
  if (!floor.document) return null
  const label = t('cleaned-picture', { map: report.mapName })
  return <Picture report={report} floor={floor.document} small label={label} className={styles.canvas} />
}
