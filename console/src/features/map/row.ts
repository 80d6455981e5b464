/** A map as the server lists it. */
import { API1_SINCE } from '@/shared/relay/relay'
import type { Answer } from '@/shared/rpc/contract'
import type { Commanded } from '@/widgets/robot/robot'

export type MapRow = Answer<'/map/selectMap'>['list'][number]

/** Of the robot whose map it is. */
export const commandsOf = ({ protocolVersion, commands }: MapRow): Commanded => ({
  protocolVersion: protocolVersion ?? API1_SINCE,
  commands,
})
