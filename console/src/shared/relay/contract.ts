/** Types of every command of the robot's local API, by its name. */
import type { operations } from './robot'

export type Command = keyof operations

type Nothing = Record<string, never>

/** A payload's fields in the query of a GET; the relay takes them in the body. */
type Query<O> = O extends { parameters: { query?: infer Q } }
  ? [Q] extends [never]
    ? Nothing
    : NonNullable<Q>
  : Nothing

type Body<T> = T extends { 'application/json': infer B } ? B : FormData

/** What a command takes. */
export type CommandPayload<C extends Command> = C extends Command
  ? operations[C] extends { requestBody: { content: infer T } }
    ? Body<T>
    : Query<operations[C]>
  : never

/** What a robot answers when it does what was asked. */
export type CommandAnswer<C extends Command> = Extract<
  operations[C]['responses'][200]['content']['application/json'],
  { code: 0 }
>

/** The parts of answers, by the name of their model. */
export type { components as Robot } from './robot'
