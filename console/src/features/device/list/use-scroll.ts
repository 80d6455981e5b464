/** Endless list: asks for more 600 px before the end; "back to top" after more than 100 px. It looks each 10 ms at most. */
import { type RefObject, useEffect, useRef, useState } from 'react'
import { throttle } from '@/shared/throttle'
import { BACK_TO_TOP_PX, TRIGGER_PX } from './toolbar/filters'

const SCROLL_MS = 10

interface Extent {
  scrollTop: number
  clientHeight: number
  scrollHeight: number
}

export const nearEnd = ({ scrollTop, clientHeight, scrollHeight }: Extent) =>
  scrollHeight - scrollTop - clientHeight < TRIGGER_PX

export const isFarDown = ({ scrollTop }: Pick<Extent, 'scrollTop'>) => scrollTop > BACK_TO_TOP_PX

/** `rows` is how many there are: a page that does not fill the screen asks for the next at once. */
export function useScroll(scroller: RefObject<HTMLElement | null>, more: () => void, rows: number) {
  const [farDown, setFarDown] = useState(false)
  const latest = useRef(() => {})
  useEffect(() => {
    latest.current = () => {
      const element = scroller.current
      if (!element) return
      setFarDown(isFarDown(element))
      if (rows > 0 && nearEnd(element)) more()
    }
    latest.current()
  })
  useEffect(() => {
    const element = scroller.current
    const look = throttle(() => latest.current(), SCROLL_MS)
    element?.addEventListener('scroll', look, { passive: true })
    return () => {
      element?.removeEventListener('scroll', look)
      look.cancel()
    }
  }, [scroller])
  const toTop = () => scroller.current?.scrollTo({ top: 0, behavior: 'smooth' })
  return { farDown, toTop }
}
