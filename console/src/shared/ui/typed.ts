/** Whether fields of text hold what a person has typed since they had the focus: what a search is for is nothing to lose. */
import { type FocusEvent, useRef } from 'react'

type Box = HTMLInputElement | HTMLTextAreaElement

const TEXT = 'textarea, input:is([type="text"], [type="url"], [type="email"], [type="tel"], :not([type]))'
const FREE = ':not([role="combobox"], [readonly], [data-search] *)'

export function useTyped() {
  const boxes = useRef(new Map<Box, string>())
  return {
    note: ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return
      if (!target.matches(`:is(${TEXT})${FREE}`) || boxes.current.has(target)) return
      boxes.current.set(target, target.value)
    },
    any: () => [...boxes.current].some(([box, before]) => box.isConnected && box.value.trim() && box.value !== before),
  }
}
