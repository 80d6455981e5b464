/** The look in Ant Design's tokens (LOOK 8). */
import { type ThemeConfig, theme } from 'antd'
import { type Colour, primary } from './palette'

const LIGHT = {
  text: '#13201E', text2: '#43524F', text3: '#5B6A67', page: '#F2F6F5', surface: '#FFFFFF', raised: '#FFFFFF', sunk: '#F7FAF9',
  border: '#DCE5E2', control: '#7F8F8B', warning: '#946000', error: '#A81B1B', warningTint: '#FDF3DD', errorTint: '#FDEDEB',
  track: '#EDF2F0', shadow: '0 4px 16px rgba(15,40,35,.10)',
} // biome-ignore format: a palette reads as rows
const DARK = {
  text: '#E7EFED', text2: '#B4C3BF', text3: '#93A39F', page: '#0D1413', surface: '#141D1B', raised: '#1B2624', sunk: '#101817',
  border: '#2A3734', control: '#6F807C', warning: '#EDB550', error: '#FF7A70', warningTint: '#33280F', errorTint: '#3A1B19',
  track: '#202B29', shadow: '0 6px 20px rgba(0,0,0,.5)',
} // biome-ignore format: a palette reads as rows

export function antdTheme(mode: 'light' | 'dark', colour: Colour): ThemeConfig {
  const c = mode === 'dark' ? DARK : LIGHT
  const p = primary(colour, mode)
  // The dark algorithm dims the colours that it is given; ours are measured, so they stand as they are.
  const exact = {
    colorPrimary: p.main,
    colorInfo: p.main,
    colorSuccess: p.main,
    colorWarning: c.warning,
    colorError: c.error,
  }
  const derive = mode === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm
  return {
    algorithm: (seed) => ({ ...derive(seed), ...exact }),
    token: {
      fontFamily: 'var(--sans)',
      motion: !matchMedia('(prefers-reduced-motion: reduce)').matches,
      colorPrimary: p.main,
      colorInfo: p.main,
      colorLink: p.main,
      colorSuccess: p.main,
      colorPrimaryHover: p.hover,
      colorPrimaryActive: p.active,
      colorPrimaryBg: p.tint,
      controlItemBgActive: p.tint,
      controlItemBgActiveHover: p.tintHover,
      colorTextLightSolid: p.on,
      colorWarning: c.warning,
      colorError: c.error,
      colorWarningBg: c.warningTint,
      colorErrorBg: c.errorTint,
      colorText: c.text,
      colorTextSecondary: c.text2,
      colorTextTertiary: c.text3,
      colorTextDescription: c.text3,
      colorTextPlaceholder: c.text3,
      colorBgLayout: c.page,
      colorBgContainer: c.surface,
      colorBgElevated: c.raised,
      colorBorderSecondary: c.border,
      colorBorder: c.control,
      fontSize: 13,
      fontSizeSM: 12,
      fontSizeLG: 14,
      fontWeightStrong: 600,
      controlHeight: 30,
      controlHeightSM: 26,
      controlHeightLG: 36,
      borderRadius: 6,
      borderRadiusSM: 5,
      borderRadiusLG: 8,
      boxShadow: c.shadow,
      boxShadowSecondary: c.shadow,
      boxShadowTertiary: 'none',
      motionDurationFast: '.12s',
      motionDurationMid: '.18s',
      motionDurationSlow: '.18s',
    },
    components: {
      Button: {
        primaryColor: p.on,
        defaultBorderColor: c.border,
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
      },
      Table: {
        headerBg: c.sunk,
        headerColor: c.text3,
        cellPaddingBlockSM: 4,
        rowSelectedBg: p.tint,
        borderColor: c.border,
      },
      Segmented: { trackBg: c.track, itemSelectedColor: p.main, itemSelectedBg: c.surface },
      Tabs: { cardHeight: 36 },
      Tooltip: {
        colorTextLightSolid: mode === 'dark' ? '#13201E' : '#FFFFFF',
        colorBgSpotlight: mode === 'dark' ? '#E7EFED' : '#13201E',
      },
    },
  }
}
