/** The fleet in one line: how many, in which states, and today's work hour by hour. */

import { Link } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { RichText } from '@/shared/i18n/rich-text'
import { useTranslation } from '@/shared/i18n/text'
import type { Counts, Mode } from '@/shared/live/frames'
import { useCounts } from '@/shared/live/live'
import { LaneColumns } from '@/shared/marks/lanes'
import { MODE_WORD } from '@/shared/marks/mode'
import { StateMark } from '@/shared/marks/state-mark'
import type { Answer } from '@/shared/rpc/contract'
import { Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import styles from './head-band.module.css'
import { presentHour } from './present-hour'

type Board = Answer<'/board/overview'>

/** In the order of a calm day; those in `RARE` appear only while a robot is so. */
const ORDER: readonly Mode[] = [
  'cleaning',
  'moving',
  'riding',
  'charging',
  'idle',
  'manual',
  'paused',
  'emergency',
  'help',
  'offline',
]
const CHART_PX = 228
const RARE: ReadonlySet<Mode> = new Set(['moving', 'riding', 'manual', 'paused', 'emergency'])

export function HeadBand({ board, count }: { board: Board; count: Counts | undefined }) {
  const counts = useCounts() ?? count
  return (
    <Panel className={styles.band}>
      <Fleet board={board} total={counts?.total} />
      <States counts={counts} />
      <Today board={board} />
    </Panel>
  )
}

function Fleet({ board, total = 0 }: { board: Board; total?: number | undefined }) {
  const { t } = useTranslation('status')
  const countries = new Set(board.sites.map((site: Board['sites'][number]) => site.area)).size
  return (
    <div className={styles.fleet}>
      <Text tone="quiet" strong cut>
        <RichText pack="status" name="fleet" count={total} components={{ n: <Text as="b" size="number" /> }} />
      </Text>
      <Text size="small" tone="soft" cut>
        {t('sites-in-countries', {
          sites: t('sites', { count: board.sites.length }),
          countries: t('countries', { count: countries }),
        })}
      </Text>
    </div>
  )
}

function States({ counts }: { counts: Counts | undefined }) {
  const { t } = useTranslation('status')
  const { number } = useFormats()
  const modes = ORDER.filter((mode) => !RARE.has(mode) || counts?.modes[mode])
  return (
    <ul className={styles.states} aria-label={t('by-state')}>
      {modes.map((mode) => (
        <li
          key={mode}
          data-hot={(mode === 'help' && Boolean(counts?.modes.help)) || undefined}
          data-none={counts && !counts.modes[mode] ? true : undefined}
        >
          <Link to={`/device/index?mode=${mode}`}>
            <StateMark state={mode} size={22} />
            <span>
              <Text as="b" size="count">
                {counts ? number(counts.modes[mode] ?? 0) : '…'}
              </Text>
              <span>{t(MODE_WORD[mode])}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Hours are those of each site's own day: the present one is where the day is farthest. */
function Today({ board }: { board: Board }) {
  const { t } = useTranslation('status')
  const formats = useFormats()
  const cleaned = formats.area(board.cleanedToday)
  const beyond = board.cleanedToday > board.plannedToday // by hand, or twice: then it is no part of the plan
  const hour = (h: number) => String(h).padStart(2, '0')
  return (
    <div className={styles.today}>
      <div>
        <Text size="small" tone="soft" cut>
          {t('cleaned-today')}
        </Text>
        <Text size="count" strong cut>
          <bdi>
            {cleaned.value} <small>{cleaned.unit}</small>
          </bdi>
        </Text>
        <Text size="small" tone="soft" cut>
          {t(beyond ? 'planned-area' : 'of-planned', { area: formats.area(board.plannedToday).text })}
        </Text>
      </div>
      <LaneColumns
        values={board.hours}
        width={CHART_PX}
        present={presentHour(board.sites.map((site) => site.zone))}
        label={t('area-by-hour')}
        ticks={{ 0: hour(0), 6: hour(6), 12: hour(12), 18: hour(18) }}
        say={(area, h) => `${hour(h)}:00 ${formats.area(area).text}`}
      />
    </div>
  )
}
