/** What is drawn with Ant Design stands in this: its look, its texts and its direction. Loaded with the first such part. */
import { App, ConfigProvider } from 'antd'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { currentLanguage } from '../i18n/i18n'
import { LANGUAGES, type Language } from '../i18n/languages'
import { useTranslation } from '../i18n/text'
import { antdTheme } from './antd'
import { useColour, useMode, useScale, useSize } from './scheme'

type Pack = NonNullable<React.ComponentProps<typeof ConfigProvider>['locale']>
const PACKS: Record<Language, () => Promise<{ default: Pack }>> = {
  'zh-CN': () => import('antd/locale/zh_CN'),
  en: () => import('antd/locale/en_GB'),
  fr: () => import('antd/locale/fr_FR'),
  ko: () => import('antd/locale/ko_KR'),
  de: () => import('antd/locale/de_DE'),
  nl: () => import('antd/locale/nl_NL'),
  ja: () => import('antd/locale/ja_JP'),
  es: () => import('antd/locale/es_ES'),
  ar: () => import('antd/locale/ar_EG'),
}
const loaded = new Map<Language, Pack>()

export async function loadPack(language = currentLanguage()): Promise<Pack> {
  const pack = loaded.get(language) ?? (await PACKS[language]()).default
  loaded.set(language, pack)
  return pack
}

/** The pack of the language; while another one is on its way, the one before. */
function usePack(language: Language): Pack | undefined {
  const [pack, setPack] = useState(() => loaded.get(language))
  useEffect(() => {
    let current = true
    void loadPack(language).then((next) => current && setPack(next))
    return () => {
      current = false
    }
  }, [language])
  return pack
}

export function AntdScope({ children }: { children: ReactNode }) {
  useTranslation('common')
  const language = currentLanguage()
  const mode = useMode()
  const colour = useColour()
  const size = useSize()
  const scale = useScale()
  const pack = usePack(language)
  const theme = useMemo(() => antdTheme(mode, colour, scale), [mode, colour, scale])
  if (!pack) return null // without a pack the tree has another shape: all would start twice
  return (
    <ConfigProvider
      theme={theme}
      direction={LANGUAGES[language].rtl ? 'rtl' : 'ltr'}
      componentSize={size === 'small' ? 'small' : 'medium'} // large is the scale of all of it
      button={{ autoInsertSpace: false }}
      locale={pack}
    >
      <App component={false}>{children}</App>
    </ConfigProvider>
  )
}
