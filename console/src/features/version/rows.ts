import type { Answer, Payload } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import type { Option } from '@/widgets/form/fields'

export type SoftRow = Answer<'/version/selectVersion'>['list'][number]
export type BuildRow = Answer<'/version/selectVersionPublic'>['list'][number]
export type FirmwareRow = Answer<'/version/selectVersionFireware'>['list'][number]
export type AppRow = Answer<'/version/selectVersionApp'>['list'][number]
export type WholeRow = Answer<'/wmWholeVersion/queryByPage'>['list'][number]
export type RobotRow = Answer<'/version/selectDeviceRange'>['list'][number]
export type RolloutRow = Answer<'/version/selectRollouts'>['list'][number]
export type Rollout = Answer<'/version/selectRollout'>
export type RolloutRobot = Rollout['list'][number]
export type Candidate = Answer<'/version/previewRollout'>['list'][number]
/** What a roll-out brings: its kind, and its number. */
export type Offer = Pick<Payload<'/version/startRollout'>, 'versionKind' | 'publicId'>
export type FileOfVersion = BuildRow['stored']

export const PAGE = 30

/** The types of robots, to choose from. */
export function useTypes(): readonly Option[] {
  const types = useCall('/device/selectDeviceType').data?.list ?? []
  return types.map(({ typeId, typeName }) => ({ value: typeId, label: typeName }))
}
