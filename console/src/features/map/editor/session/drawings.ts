/**
 * Drawings that are not saved, in the browser's own store (IndexedDB): one for each account and map, so that a reload, a
 * crash or the end of a session loses none and no account is shown another's. The newest 30 stay, for 30 days.
 */
import { type DBSchema, type IDBPObjectStore, openDB } from 'idb'
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

type Drawings<M extends IDBTransactionMode> = IDBPObjectStore<Store, ['drawings'], 'drawings', M>

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

/** One transaction to its end. Its failure and that of what is done within are one: neither is left unheard. */
async function within<M extends IDBTransactionMode, T>(mode: M, work: (store: Drawings<M>) => Promise<T>): Promise<T> {
  const transaction = (await open()).transaction('drawings', mode)
  const [result] = await Promise.all([work(transaction.store), transaction.done])
  return result
}

export async function loadDrawing(userId: number, mapId: number): Promise<StoredDrawing | undefined> {
  const drawing = await within('readonly', (store) => store.get([userId, mapId]))
  return drawing && drawing.savedAt > Date.now() - LONGEST_MS ? drawing : undefined
}

/** Puts a drawing by, and takes out what is too old or too much. */
export const storeDrawing = (userId: number, mapId: number, drawing: Drawing): Promise<void> =>
  within('readwrite', async (store) => {
    const now = Date.now()
    await store.put({ ...drawing, userId, mapId, savedAt: now })
    let place = 0
    let cursor = await store.index('savedAt').openCursor(null, 'prev')
    for (; cursor; cursor = await cursor.continue()) {
      place += 1
      if (place > MOST || cursor.key <= now - LONGEST_MS) await cursor.delete()
    }
  })

export const deleteDrawing = (userId: number, mapId: number): Promise<void> =>
  within('readwrite', (store) => store.delete([userId, mapId]))
