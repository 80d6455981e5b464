/** True while an element is on the screen: what nobody sees subscribes to nothing and draws nothing. */
import { type RefObject, useEffect, useState } from 'react'

export function useInView(ref: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new IntersectionObserver((entries) => setSeen(entries.at(-1)?.isIntersecting ?? false), {
      rootMargin: '120px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return seen
}
