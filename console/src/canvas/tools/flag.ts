/** Flag: a point of the map, with where it looks. */
import { DRAFT, type Flag, newId, withMark, withOnly } from '../document/document'
import { posed } from './posed'
import type { Editor, Tool } from './tool'

export interface FlagOptions {
  readonly kind: Flag['kind']
  readonly name?: () => string
  readonly yaw?: number
}

export const flag = (editor: Editor, { kind, name = () => '', yaw = 0 }: FlagOptions): Tool =>
  posed(editor, {
    id: kind,
    yaw,
    draft: (at) => ({ id: DRAFT, kind, name: '', at }),
    placed: (at) => {
      const flag: Flag = { id: newId(), kind, name: name(), at }
      editor.commit(kind === 'startPoint' ? withOnly(editor.map, flag) : withMark(editor.map, flag))
      editor.select(flag.id)
    },
  })

/** A task has one start point; a new one takes the place of the old. */
export const startPoint = (editor: Editor): Tool => flag(editor, { kind: 'startPoint' })
