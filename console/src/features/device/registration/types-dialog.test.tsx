import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { TypesDialog } from './types-dialog'

afterEach(() => vi.unstubAllGlobals())

test('[rule.device.type_name] a device type is not sent without a name', async () => {
  const { of } = await stage(() => <TypesDialog onClose={() => undefined} />, {
    at: '/device/index',
    answers: { '/device/selectDeviceType': { list: [] }, '/device/insertDeviceType': { typeId: 5 } },
  })
  const [add] = await screen.findAllByRole('button', { name: 'Add device type' })
  await userEvent.click(add as HTMLElement)
  const send = await screen.findByRole('button', { name: 'Add' })
  await userEvent.click(send)
  expect(await screen.findByRole('alert')).toBeTruthy()
  expect(of('/device/insertDeviceType')).toEqual([])
  await userEvent.type(screen.getByRole('textbox', { name: 'Device type' }), 'S50')
  await userEvent.click(send)
  await vi.waitFor(() => expect(of('/device/insertDeviceType')[0]?.payload).toMatchObject({ typeName: 'S50' }))
})
