/** /device/deviceSummary: area, time, coverage, efficiency and online rate of robots. */
import { useCall } from '@/shared/rpc/hooks'
import { SumsScreen, useRange } from './sums-screen'

const FIGURES = ['area', 'time', 'coverage', 'efficiency', 'online'] as const

export function DeviceSummaryScreen() {
  const { payload } = useRange()
  const series = useCall('/summary/chart', payload, { keep: true })
  const whole = useCall('/summary/chartAll', payload, { keep: true })
  return <SumsScreen name="device-summary" figures={FIGURES} series={series} whole={whole} />
}
