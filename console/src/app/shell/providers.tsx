/** What every screen under the layout stands on: queries, Ant Design in the look and language, short messages. */
import { QueryClientProvider } from '@tanstack/react-query'
import { App, ConfigProvider } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '@/shared/i18n/i18n'
import { LANGUAGES, type Language } from '@/shared/i18n/languages'
import { antdTheme } from '@/shared/theme/antd'
import { useColour, useMode, useSize } from '@/shared/theme/scheme'
import { NOTICE_MS, onNotice } from '@/shared/ui/notice'
import { queryClient } from '../query-client'

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

function usePack(language: Language): Pack | undefined {
  const [pack, setPack] = useState<Pack>()
  useEffect(() => {
    let current = true
    void PACKS[language]().then((module) => current && setPack(module.default))
    return () => {
      current = false
    }
  }, [language])
  return pack
}

function Messages() {
  const { message } = App.useApp()
  useEffect(
    () => onNotice(({ kind, text }) => void message.open({ type: kind, content: text, duration: NOTICE_MS / 1000 })),
    [message],
  )
  return null
}

export function Providers({ children }: { children: ReactNode }) {
  useTranslation('common')
  const language = currentLanguage()
  const mode = useMode()
  const colour = useColour()
  const size = useSize()
  const pack = usePack(language)
  if (!pack) return null // without a pack the tree has another shape: all would start twice
  return (
    <QueryClientProvider client={queryClient}>
      <ConfigProvider
        theme={antdTheme(mode, colour)}
        direction={LANGUAGES[language].rtl ? 'rtl' : 'ltr'}
        componentSize={size === 'default' ? 'medium' : size}
        button={{ autoInsertSpace: false }}
        locale={pack}
      >
        <App component={false}>
          <Messages />
          {children}
        </App>
      </ConfigProvider>
    </QueryClientProvider>
  )
}
