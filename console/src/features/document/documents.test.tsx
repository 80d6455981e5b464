import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isFileName, toFileName } from '@/widgets/files/names'
import { stage } from '@/widgets/testing/test-stage'
import { FilesScreen } from './files-screen'
import { KnowledgeScreen } from './knowledge-screen'

vi.mock('@/shared/rpc/upload', () => ({ upload: async () => 'token' }))

const ARTICLE = {
  ...{ id: 4, name: 'Lidar does not turn', category: 'Faults', codes: ['0x0610'], ownerName: 'Harbour Robots' },
  ...{ detail: '# Clean it\n\nWipe the **upper** lidar. <script>bad()</script> [Manual](https://example.com)' },
  ...{ file: 'knowledge/lidar.pdf', files: [{ path: 'knowledge/lidar.pdf', size: 2048, kind: 'application/pdf' }] },
  ...{ ours: true, own: true, updateTime: '2026-11-20T10:00:00Z' },
}
const PAGE = { list: [ARTICLE], total: 1, pageNum: 1 }

beforeEach(() => sessionStorage.clear())
afterEach(() => vi.unstubAllGlobals())

const knowledge = (answers: Record<string, unknown> = {}, at = '/file/knowledge') =>
  stage(KnowledgeScreen, {
    ...{ at, keys: ['file/knowledge'] },
    answers: { '/file/findAllKnowledge': PAGE, '/file/getCateKnowledge': ['Faults'], ...answers },
  })

const files = (answers: Record<string, unknown> = {}) =>
  stage(FilesScreen, {
    ...{ at: '/file/file_list', keys: ['file/file_list'] },
    answers: { '/file/findAll': { list: [], total: 0, pageNum: 0 }, '/file/getCate': [], ...answers },
  })

test('[route.file.knowledge] articles are looked for by words, category and fault code', async () => {
  const { of } = await knowledge({}, '/file/knowledge?text=lidar&category=Faults&code=0x0610')
  await screen.findByText('Lidar does not turn')
  expect(of('/file/findAllKnowledge')[0]?.payload).toEqual({
    ...{ currentPage: 1, pageSize: 30, keyword: 'lidar', category: 'Faults', code: '0x0610' },
  })
})

test('[feat.area.files] an article is read as Markdown; HTML in it stays what was typed', async () => {
  const { of } = await knowledge({}, '/file/knowledge?article=4')
  expect(await screen.findByRole('heading', { level: 3, name: 'Clean it' })).toBeTruthy()
  expect(screen.getByText('upper').tagName).toBe('STRONG')
  expect(document.querySelector('main script, section script')).toBeNull()
  expect(screen.getByRole('link', { name: 'Manual' }).getAttribute('rel')).toContain('noopener')
  expect(screen.getByRole('button', { name: 'Download lidar.pdf' })).toBeTruthy()
  expect(of('/file/findAllKnowledge').map(({ payload }) => payload.id)).toContain(4)
})

test('[route.file.knowledge] show neither button to who may only read', async () => {
  const others = { list: [{ ...ARTICLE, ours: false, own: false }], total: 1, pageNum: 1 }
  await knowledge({ '/file/findAllKnowledge': others }, '/file/knowledge?article=4')
  await screen.findByRole('heading', { name: 'Clean it' })
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull()
})

test('[route.file.knowledge] an article is written anew with its files and codes', async () => {
  const { of } = await knowledge({ '/file/addKnowledge': { id: 4 } }, '/file/knowledge?article=4')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByRole('textbox', { name: 'Fault codes' }), ', 0x0612')
  await userEvent.click(dialog.getByRole('button', { name: 'Publish' }))
  await waitFor(() => expect(of('/file/addKnowledge')).toHaveLength(1))
  expect(of('/file/addKnowledge')[0]?.payload).toMatchObject({
    ...{ id: 4, name: ARTICLE.name, codes: ['0x0610', '0x0612'], file: ['knowledge/lidar.pdf'] },
  })
})

test('[rule.file.name] a file name has no spaces and no special characters', async () => {
  await files()
  await userEvent.click((await screen.findAllByRole('button', { name: 'Add file' }))[0] as HTMLElement)
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'map 01.zip')
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }))
  expect(await dialog.findByText('File names cannot have spaces or special characters')).toBeTruthy()
  expect(['map_01.zip', '地图.pdf', 'a/b', '.hidden', 'a b'].map(isFileName)).toEqual([true, true, false, false, false])
  expect(toFileName(' map 01 (new).zip')).toBe('map_01_new_.zip')
})

test('[rule.oss.delete_list] delete files that were sent for nothing, their paths joined by commas', async () => {
  const { of } = await knowledge({ '/oss/delete': {}, '/file/addKnowledge': new Promise(() => undefined) })
  await userEvent.click((await screen.findAllByRole('button', { name: 'Write article' }))[0] as HTMLElement)
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByRole('textbox', { name: 'Title' }), 'Doors')
  await userEvent.type(dialog.getByRole('combobox', { name: 'Category' }), 'Site')
  const picker = (await screen.findByRole('dialog')).querySelector('input[type=file]') as HTMLInputElement
  await userEvent.upload(picker, [new File(['a'], 'a.txt'), new File(['b'], 'b c.txt')])
  await userEvent.click(dialog.getByRole('button', { name: 'Publish' }))
  await waitFor(() => expect(of('/file/addKnowledge')).toHaveLength(1))
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(of('/oss/delete')[0]?.payload).toEqual({ savePath: 'knowledge/a.txt,knowledge/b_c.txt' }))
})
