import { expect, test } from 'vitest'
import { initials } from './pinyin'
import { rank, ranked } from './rank'

const LABELS = ['Add elevator', 'Device list', 'Device group', 'Message centre', 'Données', '设备列表']
const labels = (typed: string) =>
  ranked(
    typed,
    LABELS.map((label) => ({ label })),
  ).map(({ label }) => label)

test('letters must come in their order', () => {
  expect(rank('dl', 'Device list')).toBeDefined()
  expect(rank('ld', 'Device list')).toBeUndefined()
})

test('beginnings of words come before letters within them', () => {
  expect(labels('dl')[0]).toBe('Device list')
  expect(labels('gro')[0]).toBe('Device group')
})

test('accents and capitals are passed over, other scripts are read', () => {
  expect(labels('DONNEES')).toEqual(['Données'])
  expect(labels('列表')).toEqual(['设备列表'])
})

test('Chinese words are found by the first letters of their pinyin', () => {
  expect(labels('sblb')).toEqual(['设备列表'])
  const words = ['任务报告', '地图列表', '远程控制', '服务器', '区域', '日志', '他们', '额外', '安全'].map(initials)
  expect(words).toEqual(['rwbg', 'dtlb', 'yckz', 'fwq', 'qy', 'rz', 'tm', 'ew', 'aq'])
  expect(initials('Kestrel 7 号')).toBe('Kestrel 7 h')
  expect(initials('Kestrel')).toBeUndefined()
})

test('without a word everything stands in its own order', () => {
  expect(labels(' ')).toEqual(LABELS)
})
