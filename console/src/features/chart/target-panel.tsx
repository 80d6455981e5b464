/** A range beside its target and beside cleaning by hand: what was reached and saved, by figures that somebody has set. */
import { IconTargetArrow } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Button } from '@/shared/controls/button'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useMay } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import styles from './chart.module.css'
import { TargetDialog } from './target-dialog'

interface Props {
  chart: Answer<'/taskReport/chartTarget'>
  cleaned: number
  owner: number | undefined
}

const LITRE_ML = 1000

export function TargetPanel({ chart: { target, total }, cleaned, owner }: Props) {
  const { t } = useTranslation('chart')
  const { area, duration, percent, unit } = useFormats()
  const [open, setOpen] = useState(false)
  const may = useMay('reportChart/target')
  const litres = (ml: number) => unit(ml / LITRE_ML, 'litre', ml < 10 * LITRE_ML ? 1 : 0)
  return (
    <Panel
      title={t('targets')}
      extra={
        may && (
          <Button size="small" icon={<IconTargetArrow size={16} stroke={1.75} />} onClick={() => setOpen(true)}>
            {t('set-targets')}
          </Button>
        )
      }
    >
      <Row stack pad="panel">
        <dl className={styles.figures}>
          <Reached label={t('target-reached')} unset={target.targetArea === null && t('unset-target')}>
            {total.targetShare === null ? '…' : percent(total.targetShare / 1000, 1)}
            <Remark>
              {total.targetArea
                ? t('target-of', { area: area(cleaned).text, target: area(total.targetArea).text })
                : t('no-robots')}
            </Remark>
          </Reached>
          <Reached
            label={t((total.savedTime ?? 0) < 0 ? 'hours-extra' : 'hours-saved')}
            unset={total.savedTime === null && t('unset-rate')}
          >
            {duration(Math.abs(total.savedTime ?? 0))}
            <Remark>{t('by-hand-rate', { rate: unit(target.manualRate ?? 0, 'm2-per-hour', 1) })}</Remark>
          </Reached>
          <Reached
            label={t((total.savedWaterMl ?? 0) < 0 ? 'water-extra' : 'water-saved')}
            unset={total.savedWaterMl === null && t('unset-water')}
          >
            {litres(Math.abs(total.savedWaterMl ?? 0))}
            <Remark>{t('by-hand-water', { water: unit(target.manualWater ?? 0, 'litre', 3) })}</Remark>
          </Reached>
        </dl>
      </Row>
      {open && <TargetDialog owner={owner} onClose={() => setOpen(false)} />}
    </Panel>
  )
}

interface ReachedProps {
  label: string
  /** What is missing for it, in place of a figure. */
  unset: string | false
  children: ReactNode
}

const Reached = ({ label, unset, children }: ReachedProps) => (
  <div>
    <dt>{label}</dt>
    {unset ? (
      <Text as="dd" size="small" tone="soft" strong={false} className={styles.unset}>
        {unset}
      </Text>
    ) : (
      <dd>{children}</dd>
    )}
  </div>
)

const Remark = ({ children }: { children: ReactNode }) => (
  <Text size="small" tone="soft" strong={false}>
    {children}
  </Text>
)
