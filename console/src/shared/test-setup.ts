/** What jsdom lacks and antd asks for, and a clean page between tests. */
import { webcrypto } from 'node:crypto'
import * as streams from 'node:stream/web'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

afterEach(cleanup)
// Of what never comes: a machine that has other work is no failure.
const PATIENCE_MS = 20_000
configure({ asyncUtilTimeout: PATIENCE_MS })
const { waitFor } = vi
vi.waitFor = (callback, options = PATIENCE_MS) => waitFor(callback, options)

// A page in a vm lacks what every browser has.
Object.assign(globalThis, streams)
Object.defineProperty(globalThis, 'crypto', { value: webcrypto })

globalThis.matchMedia ??= (query) =>
  ({
    matches: false,
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
  }) as unknown as MediaQueryList
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

// jsdom hides these and cannot show them.
HTMLElement.prototype.showPopover = function show() {
  this.removeAttribute('popover')
}
HTMLDialogElement.prototype.showModal = function show() {
  this.open = true
}
HTMLDialogElement.prototype.close = function close() {
  this.open = false
}
