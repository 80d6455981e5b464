import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { strFromU8, unzipSync } from 'fflate'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { usePreferences } from '@/shared/theme/preferences'
import { Nothing } from '@/shared/ui/query-view'
import { stage } from '../testing/test-stage'
import type { Column } from './columns'
import { filters, SORTED_MOST, useFilters, words } from './filters'
import { ListView } from './list-view'
import { ownZone, sheetOf } from './sheet/cells'
import { csvOf } from './sheet/csv'
import { workbookOf } from './sheet/workbook'

interface Row {
  readonly id: number
  readonly name: string
  readonly robots: number | null
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'name', label: 'name', heading: true },
  { key: 'robots', label: 'robot' },
  { key: 'tag', label: 'code', value: ({ id }) => `=${id}`, extra: true },
]
const ROWS: readonly Row[] = [
  { id: 1, name: 'Quay 10', robots: 3 },
  { id: 2, name: 'Quay 9', robots: null },
  { id: 3, name: 'Alster', robots: 12 },
]
const FILTERS = filters({ text: words((name) => ({ name })) })
const LIST = '/wmDeviceHostInfo/queryByPage'
const opened = vi.fn()

function Screen() {
  const { t } = useTranslation('registry')
  const { payload, paging, narrowed, reset, turn } = useFilters(FILTERS, 2)
  const query = useCall(LIST, { ...payload, ...paging }) as never
  return (
    <ListView
      name="test"
      texts="registry"
      label={t('transfer-node')}
      columns={COLUMNS}
      query={query}
      idOf={(row: Row) => row.id}
      {...{ paging, narrowed }}
      onReset={reset}
      onPage={turn}
      onOpen={opened}
      empty={<Nothing why={t('no-nodes')} />}
    />
  )
}

const show = (at = '/list', list: readonly Row[] = ROWS, total = list.length) =>
  stage(Screen, { at, path: '/list', answers: { [LIST]: { list, total }, '/user/preferences': {} } })

const names = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent)
const heading = (name: string) => screen.getByRole('columnheader', { name })

beforeEach(() => {
  localStorage.clear()
  usePreferences.setState({}, true)
  opened.mockClear()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('a heading sorts up, down and not at all; what has no value stands last', async () => {
  const { router } = await show()
  await screen.findByText('Alster')
  const press = (name: string) => userEvent.click(within(heading(name)).getByRole('button'))
  await press('Name')
  expect(names()).toEqual(['Alster', 'Quay 9', 'Quay 10'])
  expect(heading('Name').getAttribute('aria-sort')).toBe('ascending')
  await press('Name')
  expect(names()).toEqual(['Quay 10', 'Quay 9', 'Alster'])
  expect(router.state.location.search).toBe('?sort=-name')
  await press('Name')
  expect(names()).toEqual(['Quay 10', 'Quay 9', 'Alster'])
  expect(router.state.location.search).toBe('')
  await press('Robot')
  expect(names()).toEqual(['Quay 10', 'Alster', 'Quay 9'])
  await press('Robot')
  expect(names()).toEqual(['Alster', 'Quay 10', 'Quay 9'])
})

test('a sorted list is asked for whole; one that is too long is not sorted', async () => {
  const { of } = await show('/list?sort=name&page=3')
  await screen.findByText('Alster')
  expect(of(LIST)[0]?.payload).toEqual({ currentPage: 1, pageSize: SORTED_MOST })
})

test('a list that is too long to be sorted says so by headings that cannot be pressed', async () => {
  await show('/list?sort=name', ROWS, SORTED_MOST + 1)
  await screen.findByText('Alster')
  expect(names()).toEqual(['Quay 10', 'Quay 9', 'Alster'])
  expect(within(heading('Name')).queryByRole('button')).toBeNull()
})

test('columns are chosen and stay chosen; the one that names the rows always stands there', async () => {
  await show()
  await screen.findByText('Alster')
  expect(screen.queryByRole('columnheader', { name: 'Code' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Code' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Robot' }))
  expect((screen.getByRole('checkbox', { name: 'Name' }) as HTMLInputElement).disabled).toBe(true)
  expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual(['Name', 'Code'])
  expect(usePreferences.getState().testColumns).toEqual(['name', 'tag'])
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('a view keeps filter and order, not the page, and gives them back', async () => {
  const { router } = await show('/list?text=quay&sort=name&page=2')
  await screen.findByText('Alster')
  await userEvent.click(screen.getByRole('button', { name: 'Saved views' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'View name' }), 'Quays{Enter}')
  expect(usePreferences.getState().testViews).toEqual([{ name: 'Quays', query: 'sort=name&text=quay' }])
  await router.navigate('/list')
  await userEvent.click(await screen.findByRole('button', { name: 'Saved views' }))
  await userEvent.click(screen.getByRole('button', { name: 'Quays' }))
  expect(router.state.location.search).toBe('?sort=name&text=quay&saved=Quays')
})

test('arrows go from row to row, Enter opens one', async () => {
  await show()
  await screen.findByText('Alster')
  const rows = screen.getAllByRole('row').slice(1)
  rows[0]?.focus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(document.activeElement).toBe(rows[2])
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(opened).toHaveBeenLastCalledWith(ROWS[2])
  await userEvent.keyboard('{Home}{Enter}')
  expect(opened).toHaveBeenLastCalledWith(ROWS[0])
})

test('of a long list only the rows near the screen stand in the page', async () => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(600)
  const many = Array.from({ length: 1000 }, (_, id) => ({ id, name: `Quay ${id}`, robots: id }))
  await show('/list?sort=name', many)
  await screen.findByText('Quay 0')
  expect(screen.getAllByRole('rowheader').length).toBeLessThan(100)
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('1001')
})

test('no match and nothing yet are two texts; the filter can be taken away', async () => {
  const { router } = await show('/list?text=zzz', [])
  expect(await screen.findByText('No matches for this filter')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Clear filter' }))
  expect(router.state.location.search).toBe('')
  expect(await screen.findByText('No transfer nodes yet.')).toBeDefined()
})

const plain = { t: (key: string) => key } as never
const SEEN: readonly Column<{ seen: string }>[] = [{ key: 'seen', label: 'time' }]

test('a sheet has the mark of its encoding, quotes what must be and disarms formulas', async () => {
  const rows = [{ id: 1, name: 'a "b", c', robots: 2 }]
  const content = await csvOf(sheetOf(COLUMNS, rows, plain)).arrayBuffer()
  expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(content)).toBe(
    `\u{FEFF}name,robot,code,shell:time-zone\r\n"a ""b"", c",2,'=1,${ownZone()}\r\n`,
  )
})

test('the sum of a list is the last row of its sheet', async () => {
  const sum = { label: 'Sum', row: { id: 9, name: '', robots: 15 } }
  const rows = await csvOf(sheetOf(COLUMNS.slice(0, 2), ROWS, plain, sum)).text()
  expect(rows.split('\r\n').slice(-3)).toEqual([`Alster,12,${ownZone()}`, `Sum,15,${ownZone()}`, ''])
})

test('times are written in the time zone that the sheet names', async () => {
  const at = new Date(2026, 10, 23, 4, 5, 6)
  const text = await csvOf(sheetOf(SEEN, [{ seen: at.toISOString() }], plain)).text()
  expect(text.split('\r\n')[1]).toBe(`2026-11-23 04:05:06,${ownZone()}`)
})

test('a workbook has the same rows: numbers as numbers, texts as texts and never as formulas', async () => {
  const rows = [{ id: 1, name: '=SUM(A1)', robots: 2 }]
  const book = unzipSync(new Uint8Array(await (await workbookOf(sheetOf(COLUMNS, rows, plain))).arrayBuffer()))
  const part = (path: string) => strFromU8(book[path] ?? new Uint8Array())
  expect(part('xl/worksheets/sheet1.xml')).toContain('<v>2</v>')
  expect(part('xl/worksheets/sheet1.xml')).not.toContain('<f>')
  expect(part('xl/sharedStrings.xml')).toContain('=SUM(A1)')
})

test('a list is exported as it was the last time, and the menu changes that', async () => {
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:sheet', revokeObjectURL: () => undefined }))
  await show()
  await screen.findByText('Alster')
  await userEvent.click(screen.getByRole('button', { name: 'Export test.xlsx' }))
  await vi.waitFor(() => expect(saved).toEqual(['test.xlsx']))
  await userEvent.click(screen.getByRole('button', { name: 'File format' }))
  expect(screen.getByRole('menuitemradio', { name: /Excel/ }).getAttribute('aria-checked')).toBe('true')
  await userEvent.click(screen.getByRole('menuitemradio', { name: /CSV/ }))
  await vi.waitFor(() => expect(saved).toEqual(['test.xlsx', 'test.csv']))
  await userEvent.click(screen.getByRole('button', { name: 'Export test.csv' }))
  await vi.waitFor(() => expect(saved).toEqual(['test.xlsx', 'test.csv', 'test.csv']))
})
