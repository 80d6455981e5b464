/** What can be done in the editor, in one array: its keys, the sheet of keys and the palette. The rail shows its tools. */

import { type Flag, type Mark, withMark } from '@/canvas/document/document'
import { areRooms } from '@/canvas/document/selection'
import type { MapView } from '@/canvas/view'
import type { TextKey, Translate } from '@/shared/i18n/text'
import type { PageAction } from '@/widgets/actions/actions'
import type { EditorDialog } from './editor-head'
import { placed, TOOLS, type ToolId } from './tools'

interface Context {
  readonly t: Translate<TextKey<'map'>>
  readonly view: MapView | undefined
  /** Nothing may be changed now. */
  readonly locked: boolean
  readonly tool: ToolId
  readonly flagKind: Flag['kind']
  /** Ids of what is chosen. */
  readonly selection: readonly string[]
  readonly changed: boolean
  onTool(tool: ToolId): void
  /** Brings what lies beyond the map back onto it. */
  onFit(): void
  onDialog(dialog: EditorDialog): void
  onMerge(): void
  onFindRooms(): void
}

/** What was copied last, in this tab: from one map to another, too. */
let clipboard: readonly Mark[] = []

/** Text that somebody marked is copied as text. */
const marksText = () => getSelection()?.isCollapsed === false

/** Tools that change nothing. */
export const UNLOCKED: ReadonlySet<ToolId> = new Set(['select', 'hand', 'measure'])

const BLOCKED = 'blocked'
/** A reason that only says that it cannot be done now. */
const unless = (able: boolean) => (able ? '' : BLOCKED)

export function editorActions(context: Context): readonly PageAction[] {
  const { t, view, locked, tool, flagKind, selection, changed, onTool, onFit, onDialog } = context
  const any = view !== undefined && selection.length > 0
  const copy = () => {
    clipboard = view?.chosen ?? []
  }
  /** Enter on the floor places the tool's own in the middle, for who draws without a pointer. */
  const mark = () =>
    view && !locked && !view.drawing && document.activeElement instanceof HTMLCanvasElement
      ? placed(view.editor.map, tool, flagKind, view.middle)
      : undefined
  const insert = () => {
    const created = mark()
    if (!view || !created) return
    view.editor.commit(withMark(view.editor.map, created))
    view.select(created.id)
  }
  return [
    ...TOOLS.map(({ id, key, label }) => ({
      id: `tool-${id}`,
      label: t(label),
      keys: [key],
      blocked: () => unless(!locked || UNLOCKED.has(id)),
      run: () => onTool(id),
    })),
    {
      id: 'undo',
      label: t('undo'),
      keys: ['ctrl+z'],
      blocked: () => unless(view?.canUndo === true),
      run: () => view?.undo(),
    },
    {
      id: 'redo',
      label: t('redo'),
      keys: ['ctrl+shift+z', 'ctrl+y'],
      blocked: () => unless(view?.canRedo === true),
      run: () => view?.redo(),
    },
    { id: 'fit', label: t('fit-to-map'), keys: ['f'], blocked: () => unless(view !== undefined), run: onFit },
    {
      id: 'delete',
      label: t('delete'),
      keys: ['Delete'],
      blocked: () => unless(any && !locked),
      run: () => view?.remove(...selection),
    },
    {
      id: 'select-all',
      label: t('select-all'),
      keys: ['ctrl+a'],
      blocked: () => unless(view !== undefined && tool === 'select'),
      run: () => view?.editor.choose(view.editor.map.marks.map(({ id }) => id)),
    },
    { id: 'copy', label: t('copy'), keys: ['ctrl+c'], blocked: () => unless(any && !marksText()), run: copy },
    {
      id: 'paste',
      label: t('paste'),
      keys: ['ctrl+v'],
      blocked: () => unless(view !== undefined && !locked && clipboard.length > 0),
      run: () => view?.paste(clipboard),
    },
    {
      id: 'duplicate',
      label: t('duplicate'),
      keys: ['ctrl+d'],
      blocked: () => unless(any && !locked),
      run: () => view?.paste(view.chosen),
    },
    {
      id: 'merge',
      label: t('merge-rooms'),
      blocked: () => unless(selection.length > 1 && !locked && view !== undefined && areRooms(view.chosen)),
      run: context.onMerge,
    },
    { id: 'find-rooms', label: t('find-rooms'), blocked: () => unless(!locked), run: context.onFindRooms },
    { id: 'insert', label: t('add'), keys: ['Enter'], blocked: () => unless(mark() !== undefined), run: insert },
    { id: 'versions', label: t('versions'), run: () => onDialog('versions') },
    { id: 'changes', label: t('save'), blocked: () => unless(changed && !locked), run: () => onDialog('changes') },
  ]
}
