/** The draft of a form that is open: found when it opens, kept while one types, gone once it is sent or given up. */
import { useEffect, useRef, useState } from 'react'
import { translate } from '@/shared/i18n/text'
import { notice } from '@/shared/ui/notice'
import { deleteDraft, loadDraft, storeDraft } from './drafts'

/** A dialog has closed in passing: that what was typed is there when it opens again, and a way to do without. */
export function announceDraft(form: string) {
  if (!loadDraft(form)) return
  notice('info', translate('shell:draft-kept'), {
    label: translate('shell:discard-draft'),
    run: () => deleteDraft(form),
  })
}

/** `form`: what it is a form of; undefined where nothing of it may stay in the browser. */
export function useDraft<T>(form: string | undefined) {
  const [left] = useState(() => (form === undefined ? undefined : loadDraft<T>(form)))
  const [savedAt, setSavedAt] = useState(left?.savedAt)
  const sent = useRef(false)
  useEffect(
    () => () => {
      if (form !== undefined && sent.current) deleteDraft(form)
    },
    [form],
  )
  const discard = () => {
    if (form !== undefined) deleteDraft(form)
    setSavedAt(undefined)
  }
  return {
    /** What was typed before it opened. */
    left: left?.value,
    /** When that was, while it is shown. */
    savedAt,
    discard,
    /** undefined: nothing is typed. */
    keep: (value: T | undefined) => {
      if (form === undefined) return
      sent.current = false
      if (value === undefined) deleteDraft(form)
      else storeDraft(form, value)
    },
    /** It is on its way: the draft goes with the form, if it is not refused and changed again. */
    send: () => {
      sent.current = true
    },
    /** What a dialog of it is given. It says that a draft stays, where one does. */
    closing: (onClose: () => void) =>
      form === undefined
        ? { onCancel: onClose }
        : {
            onCancel: () => {
              discard()
              onClose()
            },
            onLeave: () => {
              sent.current = false
              announceDraft(form)
              onClose()
            },
          },
  }
}
