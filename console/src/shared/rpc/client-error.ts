/**
 * Errors of this page go to the server's log: each once, some of a page load, and only while somebody is logged in. What
 * the server or a robot refused, or could not be reached for, is no error of the page.
 */

import { currentSession, VERSION } from '../session/session'
import { call } from './call'
import type { Payload } from './contract'
import { LoggedOut, Refusal, Unreached } from './refusal'

type Report = Payload<'/clientError'>

const LONGEST_MESSAGE = 300 // as the call takes them
const LONGEST_STACK = 2000
const LONGEST_ROUTE = 100
const MOST_REPORTS = 20 // of one page load
/** The browser says so when a size changes twice in a frame; nothing is wrong. */
const HARMLESS = /^ResizeObserver loop/
const EXPECTED: ReadonlySet<string> = new Set(['AbortError', 'RelayRefusal'])

const reported = new Set<string>()
let currentRoute = () => ''

const isExpected = (error: unknown): boolean =>
  error instanceof LoggedOut ||
  error instanceof Refusal ||
  error instanceof Unreached ||
  (error instanceof Error && (EXPECTED.has(error.name) || HARMLESS.test(error.message)))

/** Frames without the message that browsers put before them. */
const framesOf = (error: unknown): string =>
  error instanceof Error
    ? (error.stack ?? '')
        .split('\n')
        .filter((line) => /:\d+:\d+/.test(line))
        .join('\n')
    : ''

/** `components`: React's stack of components, for errors of drawing. */
export function reportError(kind: Report['kind'], error: unknown, components = '') {
  if (!currentSession() || isExpected(error)) return
  const route = currentRoute().slice(0, LONGEST_ROUTE)
  const message = String(error).slice(0, LONGEST_MESSAGE)
  const key = `${route} ${message}`
  if (reported.has(key) || reported.size >= MOST_REPORTS) return
  reported.add(key)
  const half = LONGEST_STACK / 2
  const stack = components
    ? `${framesOf(error).slice(0, half)}\n${components.trim().slice(0, half - 1)}`
    : framesOf(error).slice(0, LONGEST_STACK)
  // a report that fails is not reported
  void call('/clientError', { kind, route, version: VERSION, message, stack }).catch(() => undefined)
}

/** Reports what fails outside of drawing too. `route` gives the pattern of the page that is shown, without its ids. */
export function followErrors(route: () => string): () => void {
  currentRoute = route
  const onError = ({ error, message }: ErrorEvent) => reportError('error', error ?? new Error(message))
  const onRejection = ({ reason }: PromiseRejectionEvent) => reportError('rejection', reason)
  addEventListener('error', onError)
  addEventListener('unhandledrejection', onRejection)
  return () => {
    removeEventListener('error', onError)
    removeEventListener('unhandledrejection', onRejection)
    reported.clear()
  }
}
