/** The path of every page, with parameters of what the demo has. */
import type { Page } from '@playwright/test'
import { BIG_SCREEN, PAGES } from '../../src/app/pages.ts'
import { ask, type Product } from '../product.ts'
import { expect } from '../stage.ts'

const BESIDES = [BIG_SCREEN.path, '/device/index?view=table', '/no/such/page']
const WORK_MS = 300_000 // until a robot has finished its first task

const HOTEL = 'Kestrel' // its customer lets administrators see maps and reports

type Row = { readonly deviceCode?: string } & Readonly<Record<string, number | undefined>>

const first = async (page: Page, product: Product, path: string, id: string) => {
  const { list } = await ask(page, product, path, { currentPage: 1, pageSize: 100 })
  const row = (list as Row[]).find(({ deviceCode }) => deviceCode?.startsWith(HOTEL))
  return row?.[id]
}

/** The parameters of paths, each with one that exists. */
async function examples(page: Page, product: Product): Promise<Record<string, string>> {
  const report = () => first(page, product, '/taskReport/list', 'taskReportId')
  await expect.poll(report, { timeout: WORK_MS }).toBeTruthy()
  const [mapId, taskReportId, deviceId] = [
    await first(page, product, '/map/selectMap', 'mapId'),
    await report(),
    await first(page, product, '/device/selectDevicePc', 'deviceId'),
  ]
  const warnId = await someAlarm(page, product, deviceId)
  return {
    mapId: String(mapId),
    taskReportId: String(taskReportId),
    deviceId: String(deviceId),
    warnId: String(warnId),
  }
}

/** The newest; where there is none yet, of a robot that is stuck for a moment. */
async function someAlarm(page: Page, product: Product, deviceId: number | undefined) {
  const alarm = () => first(page, product, '/warn/list', 'warnId')
  if (await alarm()) return alarm()
  const stuck = (on: boolean) => ask(page, product, '/device/fault', { deviceId, name: 'stuck', on })
  await stuck(true)
  await expect.poll(alarm).toBeTruthy()
  await stuck(false)
  return alarm()
}

/** What some pages take from the query. */
const queryOf = (path: string, { deviceId, mapId }: Record<string, string>) => {
  if (path === '/device/info') return `?deviceId=${deviceId}`
  return path.startsWith('/device/spotCheck/') ? `?map=${mapId}` : ''
}

/** `/control/v3/:deviceId` with a robot. */
const filled = (path: string, ids: Record<string, string>) =>
  path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? '') + queryOf(path, ids)

/** For who is logged in on the page. */
export async function paths(page: Page, product: Product): Promise<string[]> {
  const ids = await examples(page, product)
  return [...PAGES.map(({ path }) => filled(path, ids)), ...BESIDES]
}
