/** What is said where nothing answered a call: one text per action. A call without one is named by who sent it. */

import type { Keys } from '../../i18n/keys'
import { isKeyOf } from '../../keys'
import type { CallPath } from '../contract'

type Key = Extract<Keys['shell'], `failed-${string}`>

const BY_PATH: Readonly<Partial<Record<CallPath, Key>>> = {
  '/device/insertDevice': 'failed-add-device',
  '/deviceGroup/insert': 'failed-add-group',
  '/user/role/group/insert': 'failed-add-group',
  '/user/insertUser': 'failed-add-user',
  '/hire/insertHire': 'failed-add-lease',
  '/repair/insertRepair': 'failed-add-repair',
  '/wmDeviceHostInfo/add': 'failed-add-node',
  '/elevator/insertElevator': 'failed-add-elevator',
  '/device/insertDeviceType': 'failed-add-type',
  '/version/updateVersionSelectedRange': 'failed-add-test-devices',
  '/version/updateHistoryVersionSelectedRange': 'failed-add-test-devices',
  '/version/updateVersionTypeAndPublish': 'failed-publish',
  '/version/publishVersionApp': 'failed-publish',
  '/user/updateUserPermission': 'failed-modify-user',
  '/user/updateDeviceList': 'failed-modify-user',
  '/user/deleteUserInfo': 'failed-delete-user',
  '/user/updateInitialPassword': 'failed-first-password',
  '/user/updateUserInfo': 'failed-modify',
  '/user/updatePassword': 'failed-modify',
  '/user/updateHeadPicture': 'failed-modify',
  '/user/cleanCache': 'failed-clear-data',
  '/user/cleanToken': 'failed-clear-token',
  '/device/selectDevicePc': 'failed-data-download',
  '/device/selectAllDevice': 'failed-device-list',
  '/device/updateDevicesAddressByLbs': 'failed-location',
  '/device/relayGrant': 'failed-agent',
  '/device/sendHome': 'failed-command',
}

/** By the last part of the path, for what many kinds of rows have. */
const BY_VERB: readonly (readonly [RegExp, Key])[] = [
  [/\/(delete|del)([A-Z]\w*)?$/, 'failed-delete-item'],
  [/\/(import|importMap|upload[A-Z]\w*)$/, 'failed-upload'],
  [/\/(export|exportPerson|bundle|importTemplate)$/, 'failed-data-download'],
]

/** `url`: as it was sent, with the API's prefix. */
export function failureOf(url: string): Key | undefined {
  const path = url.replace(/^\/api/, '')
  return (isKeyOf(BY_PATH, path) ? BY_PATH[path] : undefined) ?? BY_VERB.find(([pattern]) => pattern.test(path))?.[1]
}
