import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { onNotice } from '@/shared/ui/notice'
import { stage } from '@/widgets/testing/test-stage'
import { Webhooks } from './webhooks'

afterEach(() => vi.unstubAllGlobals())

const ROW = {
  ...{ id: 4, url: 'https://tower.example/hook', description: 'Tower', kinds: ['device.offline'], active: true },
  ...{ offReason: '', failingTime: null, createTime: '2026-03-05T14:30:00Z' },
}
const DELIVERY = {
  ...{ id: 9, messageId: 'm', kind: 'device.offline', state: 'failed', attempts: 2, body: '{}' },
  ...{ createTime: '2026-03-05T14:30:00Z', sendTime: '2026-03-05T14:30:01Z', nextTime: null },
  ...{ status: 500, duration: 1250, answer: 'broken', reason: '' },
}
const show = (answers: Record<string, unknown>) =>
  stage(() => <Webhooks onClose={() => undefined} />, {
    at: '/index',
    answers: { '/webhook/list': { list: [ROW] }, ...answers },
  })

test('a new webhook has an https address and chosen kinds; its secret is shown once', async () => {
  const { of } = await show({
    '/webhook/list': { list: [] },
    '/webhook/insert': { id: 5, secret: 'whsec_once', formerUntil: null },
  })
  await screen.findByText('No webhooks yet.')
  await userEvent.click(screen.getByRole('button', { name: 'Add webhook' }))
  const add = await screen.findByRole('button', { name: 'Add' })
  await userEvent.type(screen.getByRole('textbox', { name: 'URL' }), 'tower')
  await userEvent.click(add)
  expect(screen.getAllByRole('alert')[0]?.textContent).toBe('Enter an https address')
  await userEvent.clear(screen.getByRole('textbox', { name: 'URL' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'URL' }), 'https://tower.example/hook')
  await userEvent.click(screen.getByRole('combobox', { name: 'Changes' }))
  await userEvent.click(await screen.findByTitle('Robot offline'))
  await userEvent.click(add)
  await screen.findByText('whsec_once')
  expect(of('/webhook/insert')[0]?.payload).toEqual({
    url: 'https://tower.example/hook',
    description: '',
    kinds: ['device.offline'],
  })
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  await vi.waitFor(() => expect(screen.queryByText('whsec_once')).toBeNull())
})

test('each says what it is sent, and whether and why it is off', async () => {
  await show({ '/webhook/list': { list: [{ ...ROW, active: false, offReason: 'failing', kinds: [] }] } })
  const row = (await screen.findByText('https://tower.example/hook')).closest('tr') as HTMLElement
  expect(within(row).getByText('Off: failed too long')).toBeDefined()
  expect(within(row).getByText('All')).toBeDefined()
  expect(within(row).getByRole('button', { name: /^Switch on/ })).toBeDefined()
})

test('the history shows answers; a test is sent, and a message again', async () => {
  const texts: string[] = []
  const stop = onNotice(({ text }) => void texts.push(text))
  const { of } = await show({
    '/webhook/deliveries': { list: [DELIVERY], pageNum: 1, total: 1 },
    '/webhook/test': {},
    '/webhook/resend': {},
  })
  await userEvent.click(await screen.findByRole('button', { name: /^History/ }))
  const row = (await screen.findByText('Robot offline')).closest('tr') as HTMLElement
  expect(within(row).getByText('HTTP 500').title).toBe('broken')
  expect(within(row).getByText('Not delivered')).toBeDefined()
  await userEvent.click(within(row).getByRole('button', { name: 'Send again' }))
  await vi.waitFor(() => expect(of('/webhook/resend')[0]?.payload).toEqual({ deliveryId: 9 }))
  await userEvent.click(screen.getByRole('button', { name: 'Send a test' }))
  await vi.waitFor(() => expect(texts).toEqual(['The test is on its way']))
  expect(of('/webhook/test')[0]?.payload).toEqual({ id: 4 })
  stop()
})
