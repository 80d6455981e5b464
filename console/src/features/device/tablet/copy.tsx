/** The tablet's page, what lies over it, and the line of the task that runs. */
import { useFormats } from '@/shared/i18n/format'
import { type TextKey, useTranslation } from '@/shared/i18n/text'
import { useModeWord } from '@/shared/marks/mode'
import type { CommandAnswer } from '@/shared/relay/contract'
import { relayCall } from '@/shared/relay/relay'
import { useRobotAnswer } from '@/shared/relay/use-robot-answer'
import { COLOURS, colourOf } from '@/shared/theme/tokens'
import type { Screen } from '@/widgets/tablet/look'
import { TabletPreview } from '@/widgets/tablet/preview'
import styles from './copy.module.css'

export type TabletScreen = CommandAnswer<'tablet_screen'>

// px of the tablet
const WIDTH = 1280
const HEIGHT = 800
const HEAD = 96
const WORK = 72
const LETTERS = 36
const PAPER = colourOf('surface', 'light')
const INK = colourOf('text', 'light')

export const CONTENT_WORDS = {
  home: 'screen-home',
  about: 'screen-about',
  boot: 'screen-boot',
  rest: 'screen-rest',
  task: 'common:task',
  map: 'common:map',
  report: 'common:task-report',
  alarms: 'common:alarm',
  speech: 'screen-speech',
  notification: 'screen-notification',
  advert: 'common:advertising',
} as const satisfies Record<TabletScreen['shows'], TextKey<'tablet'>>

/** Pages that a dealer's look draws; over the others its head alone. */
const DRAWN: Partial<Record<TabletScreen['shows'], Screen>> = {
  home: 'home',
  about: 'about',
  boot: 'boot',
  rest: 'rest',
}

interface Props {
  deviceId: number
  screen: TabletScreen
}

export function Copy({ deviceId, screen }: Props) {
  const { t } = useTranslation('tablet')
  const advert = screen.advert?.kind.startsWith('image/') ? screen.advert.file : ''
  const names = [advert, screen.main_logo, screen.boot_animation, screen.idle_animation, ...screen.home_tiles]
  const pictures = usePictures(deviceId, [...new Set(names.filter(Boolean))].sort())
  const url = (name: string | undefined) => (name && pictures[name]) || ''
  const look = {
    ...{ bootAnimation: url(screen.boot_animation), idleAnimation: url(screen.idle_animation) },
    ...{ mainLogo: url(screen.main_logo), loginLogo: '', loginBackground: '' },
    homeTiles: '',
    aboutUs: screen.about_us,
    themeColor: screen.theme_color || COLOURS.default.light,
  }
  const page = DRAWN[screen.shows] ?? 'about'
  const whole = page === 'boot' || page === 'rest' || screen.shows === 'advert'
  const label = `${t('fleet:tablet-screen')}: ${t(CONTENT_WORDS[screen.shows])}`
  return (
    <TabletPreview real look={look} tiles={screen.home_tiles.map(url)} screen={page} label={label}>
      {!whole && <State screen={screen} />}
      {screen.advert && screen.shows === 'advert' && <Advert advert={screen.advert} url={url(advert)} />}
      {!DRAWN[screen.shows] && screen.shows !== 'advert' && <Over screen={screen} colour={look.themeColor} />}
      {screen.task && !whole && <Work screen={screen} colour={look.themeColor} />}
    </TabletPreview>
  )
}

/** By name; they never change under it. */
function usePictures(deviceId: number, names: readonly string[]): Readonly<Record<string, string>> {
  const { data } = useRobotAnswer(deviceId, {
    key: ['tablet_picture', ...names],
    read: async (signal) =>
      Object.fromEntries(
        await Promise.all(
          names.map(
            async (name) => [name, (await relayCall(deviceId, 'tablet_picture', { name }, signal)).url] as const,
          ),
        ),
      ),
    everyMs: () => false,
    enabled: names.length > 0,
  })
  return data ?? {}
}

/** A picture; of a video what it is called. */
function Advert({ advert, url }: { advert: NonNullable<TabletScreen['advert']>; url: string }) {
  const { t } = useTranslation('tablet')
  const video = advert.kind.startsWith('video/')
  return (
    <>
      <rect width={WIDTH} height={HEIGHT} fill={PAPER} />
      {url && <image href={url} width={WIDTH} height={HEIGHT} preserveAspectRatio="xMidYMid meet" />}
      {video && (
        <text x={WIDTH / 2} y={HEIGHT / 2} textAnchor="middle" fontSize={LETTERS} fill={INK}>
          {t('video-named', { name: advert.name })}
        </text>
      )}
    </>
  )
}

function State({ screen }: { screen: TabletScreen }) {
  const { percent } = useFormats()
  const word = useModeWord()
  return (
    <text x={WIDTH - 24} y={HEAD / 2 + 9} textAnchor="end" fontSize={26} fill={PAPER}>
      {`${word(screen)} · ${percent(screen.battery / 100)}`}
    </text>
  )
}

function Over({ screen, colour }: { screen: TabletScreen; colour: string }) {
  const { t } = useTranslation('tablet')
  const { dateTime } = useFormats()
  const { text, shows } = screen
  const alarms = shows === 'alarms' ? screen.alarms.map(({ code, since }) => `${code} · ${dateTime(since)}`) : []
  const none = shows === 'alarms' ? t('no-alarm') : t('no-run')
  const report = screen.report ? `${screen.report.task} · ${dateTime(screen.report.ended)}` : none
  const lines = { report, alarms: alarms.join('\n') || none }[shows as 'report' | 'alarms'] ?? ''
  const top = text ? 0 : HEAD
  return (
    <>
      <rect y={top} width={WIDTH} height={HEIGHT - top} fill={PAPER} />
      {!text && <rect width={WIDTH} height={HEAD} fill={colour} />}
      {!text && <State screen={screen} />}
      <foreignObject x={80} y={top + 48} width={WIDTH - 160} height={HEIGHT - top - 48 - WORK}>
        <div className={styles.words} style={{ color: INK, fontSize: LETTERS }}>
          <h2 dir="auto" style={{ fontSize: LETTERS }}>
            {text ? text.title : t(CONTENT_WORDS[shows])}
          </h2>
          <p dir="auto" lang={text?.language}>
            {text ? text.text : lines}
          </p>
        </div>
      </foreignObject>
    </>
  )
}

function Work({ screen, colour }: { screen: TabletScreen; colour: string }) {
  const { percent } = useFormats()
  const y = HEIGHT - WORK
  return (
    <>
      <rect y={y} width={WIDTH} height={WORK} fill={PAPER} stroke={colour} />
      <rect y={HEIGHT - 12} width={WIDTH * screen.progress} height={12} fill={colour} />
      <text x={24} y={y + 40} fontSize={26} fill={INK}>{`${screen.task} · ${percent(screen.progress)}`}</text>
    </>
  )
}
