/** Light, dark or as the system; sets the CSS variables that theme.css names. */
import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
import { create } from 'zustand'
import { type Colour, isColour, primary } from './palette'
import { usePreference } from './preferences'
import { type Mode, SCALE, USUAL_LETTERS } from './tokens'

export type Scheme = 'light' | 'dark' | 'system'
export type Size = keyof typeof SCALE

const query = () => matchMedia('(prefers-color-scheme: dark)')
const listen = (changed: () => void) => {
  const media = query()
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}

export const useScheme = () => usePreference<Scheme>('theme', 'system')
export const useSize = () => usePreference<Size>('size', 'default')

/** How large the document's letters are against the usual ones: by the browser's own size and by that of the interface. */
const measure = () =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / USUAL_LETTERS || SCALE.default
let scale: number | undefined

function listenToLetters(changed: () => void) {
  const look = () => {
    scale = measure()
    changed()
  }
  const observer = new MutationObserver(look)
  observer.observe(document.documentElement, { attributeFilter: ['data-size', 'style'] })
  look()
  return () => observer.disconnect()
}

function currentScale(): number {
  scale ??= measure()
  return scale
}

/** px of the screen for one px of the look, for what is laid out by numbers: style sheets have it in their rem. */
export const useScale = () => useSyncExternalStore(listenToLetters, currentScale)

export function useColour(): Colour {
  const colour = usePreference<unknown>('colour', 'default')
  return isColour(colour) ? colour : 'default'
}

const useForced = create<{ mode: Mode | undefined }>(() => ({ mode: undefined }))

/** While it is mounted, all is drawn in this mode, whatever a person chose. */
export function useForcedMode(mode: Mode) {
  useLayoutEffect(() => {
    useForced.setState({ mode })
    return () => useForced.setState({ mode: undefined })
  }, [mode])
}

/** The mode that is shown now. */
export function useMode(): Mode {
  const forced = useForced((state) => state.mode)
  const scheme = useScheme()
  const dark = useSyncExternalStore(listen, () => query().matches)
  return forced ?? (scheme === 'system' ? (dark ? 'dark' : 'light') : scheme)
}

/** Writes mode, colour and size to the document; once, at the top. */
export function useDocumentTheme() {
  const mode = useMode()
  const colour = useColour()
  const size = useSize()
  useEffect(() => {
    const root = document.documentElement
    const colours = primary(colour, mode)
    root.dataset.theme = mode
    root.dataset.size = size
    root.style.colorScheme = mode
    root.style.setProperty('--primary', colours.main)
    root.style.setProperty('--primary-hover', colours.hover)
    root.style.setProperty('--primary-active', colours.active)
    root.style.setProperty('--primary-tint', colours.tint)
    root.style.setProperty('--primary-tint-hover', colours.tintHover)
    root.style.setProperty('--on-primary', colours.on)
  }, [mode, colour, size])
}
