/** A tablet as the robot shows it, in its own 1280 × 800: what was chosen so far, and a frame where nothing was yet. */
import { createContext, type ReactNode, useContext } from 'react'
import { type TextKey, useTranslation } from '@/shared/i18n/text'
import { colourOf } from '@/shared/theme/tokens'
import { type Look, type Screen, SIZES, TILES } from './look'
import styles from './preview.module.css'

const { width: WIDTH, height: HEIGHT } = SIZES.bootAnimation
const HEAD = 96 // px of the tablet, as all here
const PAPER = colourOf('surface', 'light')
const INK = colourOf('text', 'light')
const EMPTY = colourOf('sunk', 'light')
const LINE = colourOf('control-border', 'light')
const TILE = SIZES.homeTile
const ROOM = { across: (WIDTH - 3 * TILE.width) / 4, down: (HEIGHT - HEAD - 2 * TILE.height) / 3 }
const LABEL = 56
const PANEL = { x: 400, y: 360, width: 480, height: 320 }

/** Whether a frame says that a picture is missing; a robot's own tablet has none there. */
const Frames = createContext(true)

interface Props {
  look: Look
  screen: Screen
  /** Of what it shows; left out: a preview. */
  label?: string
  /** A robot's own tablet: nothing stands where it has no picture. */
  real?: boolean
  /** Pictures of the home page's entries, where their addresses have commas. */
  tiles?: readonly string[]
  /** What lies over that page, in px of the tablet. */
  children?: ReactNode
}

export function TabletPreview({ look, screen, label, real, tiles = look.homeTiles.split(','), children }: Props) {
  const { t } = useTranslation('tablet')
  const Part = { boot: Boot, login: Login, home: Home, about: About, rest: Rest }[screen]
  return (
    <Frames value={!real}>
      <svg
        className={styles.tablet}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={label ?? `${t('preview')}: ${t(`screen-${screen}`)}`}
        direction="ltr"
      >
        <rect width={WIDTH} height={HEIGHT} fill={PAPER} />
        <Part look={look} tiles={tiles} />
        {children}
      </svg>
    </Frames>
  )
}

interface PartProps {
  look: Look
  tiles: readonly string[]
}

const Boot = ({ look }: PartProps) => <Picture url={look.bootAnimation} word="boot-animation" {...whole} />
const Rest = ({ look }: PartProps) => <Picture url={look.idleAnimation} word="idle-animation" {...whole} />

const whole = { x: 0, y: 0, width: WIDTH, height: HEIGHT }

function Login({ look }: PartProps) {
  const { t } = useTranslation('tablet')
  const { width, height } = SIZES.loginLogo
  const field = { x: PANEL.x + 40, width: PANEL.width - 80, height: 56, rx: 8 }
  return (
    <>
      <Picture url={look.loginBackground} word="login-background" {...whole} />
      <Picture
        url={look.loginLogo}
        word="login-logo"
        x={(WIDTH - width * 0.75) / 2}
        y={80}
        {...scaled(width, height)}
      />
      <rect {...PANEL} rx={16} fill={PAPER} stroke={LINE} />
      <rect {...field} y={PANEL.y + 40} fill={EMPTY} stroke={LINE} />
      <rect {...field} y={PANEL.y + 120} fill={EMPTY} stroke={LINE} />
      <rect {...field} y={PANEL.y + 220} fill={look.themeColor} />
      <Words x={WIDTH / 2} y={PANEL.y + 256} fill={PAPER}>
        {t('log-in')}
      </Words>
    </>
  )
}

const scaled = (width: number, height: number) => ({ width: width * 0.75, height: height * 0.75 })

function Head({ look, children }: Pick<PartProps, 'look'> & { children?: ReactNode }) {
  const { width, height } = SIZES.mainLogo
  const size = { width: (width * (HEAD - 16)) / height, height: HEAD - 16 }
  return (
    <>
      <rect width={WIDTH} height={HEAD} fill={look.themeColor} />
      <Picture url={look.mainLogo} word="main-logo" x={24} y={8} {...size} />
      {children}
    </>
  )
}

function Home({ look, tiles }: PartProps) {
  const { t } = useTranslation('tablet')
  return (
    <>
      <Head look={look} />
      {TILES.map((word, place) => {
        const x = ROOM.across + (place % 3) * (TILE.width + ROOM.across)
        const y = HEAD + ROOM.down + Math.floor(place / 3) * (TILE.height + ROOM.down)
        return (
          <g key={word}>
            <Picture url={tiles[place] ?? ''} word="home-tile" {...{ x, y, ...TILE }} />
            <rect x={x} y={y + TILE.height - LABEL} width={TILE.width} height={LABEL} fill={look.themeColor} />
            <Words x={x + TILE.width / 2} y={y + TILE.height - LABEL / 2 + 9} fill={PAPER}>
              {t(word)}
            </Words>
          </g>
        )
      })}
    </>
  )
}

function About({ look }: PartProps) {
  const { t } = useTranslation('tablet')
  return (
    <>
      <Head look={look}>
        <Words x={WIDTH / 2} y={HEAD / 2 + 9} fill={PAPER}>
          {t('about-us')}
        </Words>
      </Head>
      <foreignObject x={80} y={HEAD + 48} width={WIDTH - 160} height={HEIGHT - HEAD - 96}>
        <p dir="auto" className={styles.about} style={{ color: INK, fontSize: 28 }}>
          {look.aboutUs}
        </p>
      </foreignObject>
    </>
  )
}

interface Place {
  x: number
  y: number
  width: number
  height: number
}

function Picture({ url, word, ...place }: Place & { url: string; word: TextKey<'tablet'> }) {
  const { t } = useTranslation('tablet')
  const frames = useContext(Frames)
  if (url) return <image href={url} {...place} preserveAspectRatio="xMidYMid meet" />
  if (!frames) return null
  const { x, y, width, height } = place
  return (
    <>
      <rect {...place} fill={EMPTY} stroke={LINE} strokeDasharray="12 8" />
      <Words x={x + width / 2} y={y + height / 2} fill={INK}>
        {t(word)}
      </Words>
    </>
  )
}

const Words = ({ children, ...place }: { x: number; y: number; fill: string; children: ReactNode }) => (
  <text {...place} textAnchor="middle" fontSize={26}>
    {children}
  </text>
)
