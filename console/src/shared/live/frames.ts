/** What travels over the live socket, as the server's push declares it. */
import type { components } from './wire'

type Wire = components['schemas']

export type Frame = Wire['Frame']

/** The live part of a robot; the same fields as in the device list. */
export type LiveRow = Wire['LiveRow']
export type Mode = LiveRow['mode']
export type Counts = Wire['Counts']
export type Fleet = Extract<Frame, { kind: 'fleet' }>['modes']
export type Control = Omit<Wire['ControlChanged'], 'kind' | 'seq' | 'id'>

/** What a tab shows; the server sends nothing else. */
export type Show = Required<Wire['Selection']>

/** Frames that pass by React: canvas parts take them raw. */
type AnyStream = Extract<Frame, { data: unknown }>
export type Stream = AnyStream['kind']
export type Streams = { [K in Stream]: Extract<AnyStream, { kind: K }>['data'] }
