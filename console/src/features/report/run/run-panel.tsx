/** The figures of a run; what the robot did not tell is left out. */

import type { ReactNode } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { type TextKey, useTranslation } from '@/shared/i18n/text'
import { Panel } from '@/shared/ui/panel'
import { efficiencyM2PerHour } from '@/widgets/report/figures'
import type { Detail } from '../detail'
import styles from './run-panel.module.css'

type Words = Readonly<Record<string, TextKey<'report'>>>

const MODES: Words = { clean: 'mode-clean', carpet: 'mode-carpet', quiet: 'mode-quiet' }
const ROUTES: Words = { bow: 'route-bow', spiral: 'route-spiral' }
const SPEEDS: Words = { low: 'speed-low', middle: 'speed-medium', high: 'speed-high' }

export function RunPanel({ report }: { report: Detail }) {
  const { t } = useTranslation('report')
  const { unit, percent, duration, number } = useFormats()
  const word = (words: Words, value: string) => {
    const key = words[value]
    return key ? t(key) : value
  }
  const { batteryFrom, batteryTo, efficiency, liquidMl, distance, pauses, warnCount } = report
  const figures: [string, ReactNode][] = [
    [t('cleaning-efficiency'), efficiency != null && unit(efficiencyM2PerHour(efficiency), 'm2-per-hour')],
    [t('duration'), duration(report.seconds)],
    [
      t('battery'),
      batteryFrom != null &&
        batteryTo != null &&
        t('from-to', { from: number(batteryFrom), to: percent(batteryTo / 100) }),
    ],
    [t('disinfectant'), liquidMl != null && unit(liquidMl / 1000, 'litre', 1)],
    [t('distance'), distance != null && unit(distance, 'metre')],
    [t('pauses'), pauses != null && number(pauses)],
    [t('faults'), warnCount != null && number(warnCount)],
    [t('cleaning-mode'), word(MODES, report.cleanMode)],
    [t('route-shape'), word(ROUTES, report.route)],
    [t('speed'), word(SPEEDS, report.speed)],
  ]
  return (
    <Panel title={t('run')}>
      <dl className={styles.figures}>
        {figures.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </Panel>
  )
}
