/** Whether the page fills the screen, and how it does. */
import { useState, useSyncExternalStore } from 'react'

const listen = (changed: () => void) => {
  document.addEventListener('fullscreenchange', changed)
  return () => document.removeEventListener('fullscreenchange', changed)
}

export function useFullScreen() {
  const [possible] = useState(() => document.fullscreenEnabled)
  const full = useSyncExternalStore(listen, () => document.fullscreenElement !== null)
  const toggle = () => void (full ? document.exitFullscreen() : document.documentElement.requestFullscreen())
  return { possible, full, toggle }
}
