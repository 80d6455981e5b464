/**
 * Where keys become actions: those of the page that is shown, and of the console itself. The palette and the sheet of keys
 * are loaded when somebody opens one.
 */
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { loadTexts } from '@/shared/i18n/i18n'
import { useTranslation } from '@/shared/i18n/text'
import { usePreference } from '@/shared/theme/preferences'
import { PALETTE, type PageAction, runByKey, useActions } from '@/widgets/actions/actions'
import { SEARCH_KEY } from './search-key'

const Palette = lazy(async () => {
  const [{ Palette: Loaded }] = await Promise.all([import('./palette'), loadTexts('palette')])
  return { default: Loaded }
})
const KeySheet = lazy(async () => {
  const [{ KeySheet: Loaded }] = await Promise.all([import('./key-sheet'), loadTexts('palette')])
  return { default: Loaded }
})

/** `actions`: what can be done on every page. */
export function PaletteDoor({ actions }: { actions: readonly PageAction[] }) {
  const { t } = useTranslation('shell')
  const { pathname } = useLocation()
  const [open, setOpen] = useState<'palette' | 'keys'>()
  const byLetter = usePreference(SEARCH_KEY, false) && !pathname.startsWith('/control/') // there S drives backwards
  const close = () => setOpen(undefined)
  useActions([
    {
      id: PALETTE,
      label: t('open-palette'),
      keys: ['ctrl+k', ...(byLetter ? ['s'] : [])],
      run: () => setOpen('palette'),
    },
    { id: 'shortcuts', label: t('show-keys'), keys: ['?'], run: () => setOpen('keys') },
    ...actions,
  ])
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault() // from within a field as well; browsers would go to their address line
        setOpen('palette')
      } else runByKey(event)
    }
    window.addEventListener('keydown', press, { capture: true })
    return () => window.removeEventListener('keydown', press, { capture: true })
  }, [])
  return (
    <Suspense>
      {open === 'palette' && <Palette onClose={close} />}
      {open === 'keys' && <KeySheet onClose={close} />}
    </Suspense>
  )
}
