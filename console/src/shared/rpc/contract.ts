/** Types of every call, by the path that the specification writes (without /api). */
import type { paths } from './schema'

type Path = keyof paths
export type CallPath = Path extends infer P ? (P extends `/api${infer C}` ? C : never) : never
type Post<C extends CallPath> = paths[Extract<`/api${C}`, Path>] extends { post: infer O } ? O : never

type Nothing = Record<string, never>

/** Calls that the specification has as GET. */
export type GetPath = Path extends infer P
  ? P extends `/api${infer C}`
    ? paths[P & Path] extends { get: infer O }
      ? [O] extends [never]
        ? never
        : C
      : never
    : never
  : never

/** What a call takes: its JSON body, whichever other encodings it also accepts. */
export type Payload<C extends CallPath> =
  Post<C> extends { requestBody?: { content: infer T } }
    ? T extends { 'application/json': infer B }
      ? B
      : T extends { 'multipart/form-data': infer F }
        ? F
        : Nothing
    : Nothing

/** What a call answers when it does what was asked, out of its envelope. */
export type Answer<C extends CallPath> =
  Post<C> extends { responses: { 200: { content: { 'application/json': infer E } } } } ? Data<E> : never
type Data<E> = E extends { message: { code: 0 }; data?: infer D } ? NonNullable<D> : never
