import i18next from 'i18next'
import { expect, test } from 'vitest'
import en from '../../../../locales/en/common.json'
import enShell from '../../../../locales/en/shell.json'
import zh from '../../../../locales/zh-CN/common.json'
import zhShell from '../../../../locales/zh-CN/shell.json'
import type { TextKey, Translate } from '../../i18n/text'
import { LoggedOut, Unreached } from '../refusal'
import { errorText } from './error-text'

const WORDS = {
  400: 'Request error',
  401: 'Unauthorized, please log in',
  403: 'Access denied',
  404: 'Request address error: /api/x',
  408: 'Request timeout',
  500: 'Internal server error',
  501: 'Service not implemented',
  502: 'Gateway error',
  503: 'Service unavailable',
  504: 'Gateway timeout',
  505: 'HTTP version not supported',
}

async function texts(language: string, common: object, shell: object): Promise<Translate<TextKey<'common'>>> {
  const own = i18next.createInstance()
  await own.init({
    lng: language,
    ns: ['common', 'shell'],
    defaultNS: 'common',
    resources: { [language]: { common, shell } },
  })
  return (key, values = {}) => own.t(key, values)
}

test('[err.http.400, err.http.403, err.http.408, err.http.501, err.http.502, err.http.504, err.http.505] answer a status in words', async () => {
  const t = await texts('en', en, enShell)
  for (const [status, words] of Object.entries(WORDS))
    expect(errorText(t, new Unreached(Number(status), '/api/x'))).toBe(words)
  const chinese = await texts('zh-CN', zh, zhShell)
  const spoken = Object.keys(WORDS).map((status) => errorText(chinese, new Unreached(Number(status), '/api/x')))
  expect(new Set(spoken).size).toBe(spoken.length)
  expect(spoken.every((text) => /\p{Script=Han}/u.test(text ?? ''))).toBe(true)
})

test('name the work that failed when nothing answered', async () => {
  const t = await texts('en', en, enShell)
  expect(errorText(t, new Unreached(0, '/api/x'), 'Save')).toBe(t('operation-failed', { action: 'Save' }))
  expect(errorText(t, new LoggedOut('x'), 'Save')).toBeUndefined()
})

const ADDING = {
  '/device/insertDevice': 'Adding the device failed',
  '/deviceGroup/insert': 'Adding the group failed',
  '/user/insertUser': 'Adding the user failed',
  '/hire/insertHire': 'Adding the lease failed',
  '/repair/insertRepair': 'Adding the repair record failed',
  '/wmDeviceHostInfo/add': 'Adding the transfer node failed',
  '/elevator/insertElevator': 'Adding the elevator failed',
  '/device/insertDeviceType': 'Adding the device type failed',
}
const USERS = {
  '/user/updateUserPermission': 'Could not change the user',
  '/user/deleteUserInfo': 'Could not delete the user',
  '/repair/deleteRepair': 'Could not delete this',
  '/user/updateInitialPassword': 'Could not set the initial password',
}
const VERSIONS = {
  '/version/updateVersionTypeAndPublish': 'Publishing failed',
  '/version/publishVersionApp': 'Publishing failed',
  '/version/updateVersionSelectedRange': 'Adding test devices failed',
}
const OTHERS = {
  '/map/importMap': 'The upload failed',
  '/taskReport/export': 'Data download failed',
  '/device/selectAllDevice': 'Could not load the device list',
  '/device/updateDevicesAddressByLbs': 'The location request failed',
  '/device/relayGrant': 'The agent interface failed',
  '/device/sendHome': 'Could not send the command',
  '/user/cleanCache': 'Could not clear old data',
}

/** What is said in English, and that Chinese has words of its own for each. */
async function saysEach(words: Readonly<Record<string, string>>) {
  const [english, chinese] = [await texts('en', en, enShell), await texts('zh-CN', zh, zhShell)]
  for (const [path, text] of Object.entries(words)) {
    const error = new Unreached(0, `/api${path}`)
    expect(errorText(english, error, 'Save')).toBe(text)
    expect(errorText(chinese, error, '保存')).toMatch(/\p{Script=Han}.*失败/u)
  }
}

test('[err.op.add_device, err.op.add_group, err.op.add_user, err.op.add_lease, err.op.add_repair, err.op.add_node, err.op.add_elevator, err.op.add_type] name what could not be added', () =>
  saysEach(ADDING))

test('[err.op.modify_user, err.op.delete_user, err.op.delete_other_item, err.op.password_initialisation] name what could not be done to an account', () =>
  saysEach(USERS))

test('[err.op.publish, err.op.adding_test_devices] name what could not be done to a version', () => saysEach(VERSIONS))

test('[err.op.upload, err.op.data_download, err.op.device_list_fetch, err.op.location_command, err.op.agent_interface, err.op.send_command, err.op.clear_data] name what else failed', () =>
  saysEach(OTHERS))

test('[err.op.request, err.op.query] call an unnamed failure a request or a query', async () => {
  const t = await texts('en', en, enShell)
  const error = new Unreached(0, '/api/x')
  expect(errorText(t, error)).toBe('The query failed: cannot reach the server. Check your connection.')
  expect(errorText(t, error, undefined, 'failed-request')).toBe('The request failed: cannot reach the server')
})
