/** The look in Ant Design's tokens (LOOK 8). */
import { type ThemeConfig, theme } from 'antd'
import { type Colour, primary } from './palette'
import { colourOf, HEIGHT, type Mode, RADIUS, type Role, SHADOW, SPACE, TOUCH, TYPE } from './tokens'

export function antdTheme(mode: Mode, colour: Colour, scale: number): ThemeConfig {
  const scaled = (px: number) => Math.round(px * scale)
  const c = (role: Role) => colourOf(role, mode)
  const shadow = SHADOW['1'][mode === 'light' ? 0 : 1]
  const p = primary(colour, mode)
  const height = matchMedia('(pointer: coarse)').matches ? TOUCH : HEIGHT
  // The dark algorithm dims the colours that it is given; ours are measured, so they stand as they are.
  const exact = {
    colorPrimary: p.main,
    colorInfo: p.main,
    colorSuccess: p.main,
    colorWarning: c('state-paused'),
    colorError: c('state-help'),
    colorLink: p.main,
    colorLinkHover: p.hover,
    colorLinkActive: p.active,
  }
  const derive = mode === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm
  return {
    algorithm: (seed) => ({ ...derive(seed), ...exact }),
    token: {
      fontFamily: 'var(--sans)',
      motion: !matchMedia('(prefers-reduced-motion: reduce)').matches,
      colorPrimary: p.main,
      colorInfo: p.main,
      colorSuccess: p.main,
      colorPrimaryHover: p.hover,
      colorPrimaryActive: p.active,
      colorPrimaryBg: p.tint,
      controlItemBgActive: p.tint,
      controlOutline: p.main, // the ring of a field in focus, as wide and as strong as that of a button
      controlOutlineWidth: 1,
      controlItemBgActiveHover: p.tintHover,
      colorTextLightSolid: p.on,
      colorWarning: c('state-paused'),
      colorError: c('state-help'),
      colorWarningBg: c('state-paused-tint'),
      colorErrorBg: c('state-help-tint'),
      colorText: c('text'),
      colorTextSecondary: c('text-2'),
      colorTextTertiary: c('text-3'),
      colorTextDescription: c('text-3'),
      colorTextPlaceholder: c('text-3'),
      colorBgLayout: c('page'),
      colorBgContainer: c('surface'),
      colorBgElevated: c('raised'),
      colorBorderSecondary: c('border'),
      colorBorder: c('control-border'),
      fontSize: scaled(TYPE.control[0]),
      fontSizeSM: scaled(TYPE.small[0]),
      fontSizeLG: scaled(TYPE.body[0]),
      fontWeightStrong: 600,
      controlHeight: scaled(height.control),
      controlHeightSM: scaled(height['control-small']),
      controlHeightLG: scaled(height['control-large']),
      borderRadius: RADIUS.control,
      borderRadiusSM: RADIUS.tag,
      borderRadiusLG: RADIUS.panel,
      boxShadow: shadow,
      boxShadowSecondary: shadow,
      boxShadowTertiary: 'none',
      motionDurationFast: '.12s',
      motionDurationMid: '.18s',
      motionDurationSlow: '.18s',
    },
    components: {
      Button: {
        primaryColor: p.on,
        defaultBorderColor: c('border'),
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
      },
      Table: {
        headerBg: c('sunk'),
        headerColor: c('text-3'),
        cellPaddingBlockSM: scaled(SPACE.xs),
        rowSelectedBg: p.tint,
        borderColor: c('border'),
      },
      Segmented: { trackBg: c('state-idle-tint'), itemSelectedColor: p.main, itemSelectedBg: c('surface') },
      Tabs: { cardHeight: scaled(height.tabs) },
      Tooltip: {
        colorTextLightSolid: colourOf(mode === 'dark' ? 'text' : 'surface', 'light'),
        colorBgSpotlight: c('text'),
      },
    },
  }
}
