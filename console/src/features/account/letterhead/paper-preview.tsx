/** The head of a report as it will be on paper, which is white in the dark too. */
import { useTranslation } from '@/shared/i18n/text'
import { colourOf } from '@/shared/theme/tokens'
import styles from './letterhead.module.css'

const WIDTH = 480 // of its own, as all here
const HEIGHT = 168
const EDGE = 24
const LOGO = { width: 160, height: 40 }
const PAPER = colourOf('surface', 'light')
const INK = colourOf('text', 'light')
const LINE = colourOf('border', 'light')
const LINES = [0, 1, 2]

export function PaperPreview({ logo, colour }: { logo: string; colour: string }) {
  const { t } = useTranslation('letterhead')
  const rtl = document.documentElement.dir === 'rtl'
  const start = rtl ? WIDTH - EDGE : EDGE
  const top = logo ? EDGE + LOGO.height + 20 : EDGE + 8
  return (
    <svg className={styles.paper} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={t('preview')}>
      <rect width={WIDTH} height={HEIGHT} fill={PAPER} />
      {logo && (
        <image
          href={logo}
          {...LOGO}
          x={rtl ? WIDTH - EDGE - LOGO.width : EDGE}
          y={EDGE / 2}
          preserveAspectRatio={rtl ? 'xMaxYMid meet' : 'xMinYMid meet'}
        />
      )}
      <g direction={rtl ? 'rtl' : 'ltr'}>
        <text x={start} y={top} fill={colour} className={styles.kind}>
          Lustra · {t('sample-kind')}
        </text>
        <text x={start} y={top + 26} fill={INK} className={styles.heading}>
          {t('sample-title')}
        </text>
      </g>
      {LINES.map((line) => (
        <rect key={line} x={EDGE} y={top + 44 + line * 14} width={WIDTH - 2 * EDGE} height={1} fill={LINE} />
      ))}
    </svg>
  )
}
