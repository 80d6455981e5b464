/** /reportChart: what runs cleaned in a week, a month, three months, a year or other days. */
import { useCall } from '@/shared/rpc/hooks'
import { SumsScreen, useRange } from './sums-screen'

const FIGURES = ['area', 'time', 'coverage', 'efficiency'] as const

export function ReportChartScreen() {
  const { payload } = useRange()
  const series = useCall('/taskReport/chart', payload, { keep: true })
  const whole = useCall('/taskReport/chartSummary', payload, { keep: true })
  const target = useCall('/taskReport/chartTarget', payload, { keep: true })
  return <SumsScreen name="report-chart" figures={FIGURES} series={series} whole={whole} target={target} />
}
