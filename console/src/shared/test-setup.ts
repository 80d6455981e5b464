/** What jsdom lacks and antd asks for, and a clean page between tests. */
import { webcrypto } from 'node:crypto'
import * as streams from 'node:stream/web'
import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

afterEach(cleanup)

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
