/**
 * Drawings that are not saved, in the browser's own store (IndexedDB): one for each account and map, so that a reload, a
 * crash or the end of a session loses none and no account is shown another's. The newest 30 stay, for 30 days.
 */
import { type DBSchema, openDB } from 'idb'
import type { Drawing } from '@/canvas/document/session'

const MOST = 30
const LONGEST_MS = 30 * 24 * 60 * 60_000

export interface StoredDrawing extends Drawing {
  readonly userId: number
  readonly mapId: number
  readonly savedAt: number
}

interface Store extends DBSchema {
  drawings: { key: [number, number]; value: StoredDrawing; indexes: { savedAt: number } }
}

/** Opened when it is first needed, and again after it was closed or failed, as on a full disk. */
let opening: ReturnType<typeof openStore> | undefined

const openStore = () =>
  openDB<Store>('lustra-drawings', 1, {
    upgrade: (db) => {
      db.createObjectStore('drawings', { keyPath: ['userId', 'mapId'] }).createIndex('savedAt', 'savedAt')
    },
    // a newer console in another tab changes the store's form, or the browser takes the store away
    blocking: (_current, _next, event) => {
      opening = undefined
      ;(event.target as IDBDatabase).close()
    },
    terminated: () => {
      opening = undefined
    },
  })

function open() {
  opening ??= openStore().catch((error: unknown) => {
    opening = undefined
    throw error
  })
  return opening
}

export async function loadDrawing(userId: number, mapId: number): Promise<StoredDrawing | undefined> {
  const drawing = await (await open()).get('drawings', [userId, mapId])
  return drawing && drawing.savedAt > Date.now() - LONGEST_MS ? drawing : undefined
}

/** Puts a drawing by, and takes out what is too old or too much. */
export async function storeDrawing(userId: number, mapId: number, drawing: Drawing): Promise<void> {
  const now = Date.now()
  const change = (await open()).transaction('drawings', 'readwrite')
  await change.store.put({ ...drawing, userId, mapId, savedAt: now })
  let place = 0
  let cursor = await change.store.index('savedAt').openCursor(null, 'prev')
  for (; cursor; cursor = await cursor.continue()) {
    place += 1
    if (place > MOST || cursor.key <= now - LONGEST_MS) await cursor.delete()
  }
  await change.done
}

export async function deleteDrawing(userId: number, mapId: number): Promise<void> {
  await (await open()).delete('drawings', [userId, mapId])
}
