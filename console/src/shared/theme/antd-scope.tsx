/** What is drawn with Ant Design stands in this: its look, its texts and its direction. Loaded with the first such part. */
import { App, ConfigProvider } from 'antd'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { dayPattern } from '../i18n/format'
import { currentLanguage } from '../i18n/i18n'
import { LANGUAGES, type Language } from '../i18n/languages'
import { useTranslation } from '../i18n/text'
import { antdTheme } from './antd'
import { useColour, useMode, useScale, useSize } from './scheme'

type Pack = NonNullable<React.ComponentProps<typeof ConfigProvider>['locale']>
/** Words of Ant Design, and of its days: names, and with which a week begins. */
const PACKS: Record<Language, () => Promise<[{ default: Pack }, unknown]>> = {
  'zh-CN': () => Promise.all([import('antd/es/locale/zh_CN'), import('dayjs/locale/zh-cn')]),
  en: () => Promise.all([import('antd/es/locale/en_GB'), import('dayjs/locale/en-gb')]),
  fr: () => Promise.all([import('antd/es/locale/fr_FR'), import('dayjs/locale/fr')]),
  ko: () => Promise.all([import('antd/es/locale/ko_KR'), import('dayjs/locale/ko')]),
  de: () => Promise.all([import('antd/es/locale/de_DE'), import('dayjs/locale/de')]),
  nl: () => Promise.all([import('antd/es/locale/nl_NL'), import('dayjs/locale/nl')]),
  ja: () => Promise.all([import('antd/es/locale/ja_JP'), import('dayjs/locale/ja')]),
  es: () => Promise.all([import('antd/es/locale/es_ES'), import('dayjs/locale/es')]),
  ar: () => Promise.all([import('antd/es/locale/ar_EG'), import('dayjs/locale/ar')]),
}
const loaded = new Map<Language, Pack>()

/** Fields of days and times as the language writes them, by 24 hours in all. */
function withFormats(pack: Pack, language: Language): Pack {
  if (!pack.DatePicker) return pack
  const day = dayPattern(LANGUAGES[language].format)
  const lang = { ...pack.DatePicker.lang, fieldDateFormat: day, fieldDateTimeFormat: `${day} HH:mm` }
  return { ...pack, DatePicker: { ...pack.DatePicker, lang } }
}

export async function loadPack(language = currentLanguage()): Promise<Pack> {
  const pack = loaded.get(language) ?? withFormats((await PACKS[language]())[0].default, language)
  loaded.set(language, pack)
  return pack
}

/** The pack of the language; while another one is on its way, the one before. */
function usePack(language: Language): Pack | undefined {
  const [pack, setPack] = useState(() => loaded.get(language))
  useEffect(() => {
    let current = true
    loadPack(language).then(
      (next) => current && setPack(next),
      () => undefined, // Ant Design's own words stay in the language before
    )
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
