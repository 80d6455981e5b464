/** What is drawn on a map that is shown: its steps, what is chosen, and what a tool may do to both. */
import { type MapDocument, type Mark, markById } from './document/document'
import { begin, commit, redo, undo } from './document/history'
import { chosenMarks, withCopies, withMoved, withoutMarks } from './document/selection'
import type { MapOptions, Steps } from './options'
import type { Scene } from './scene'
import type { Editor } from './tools/tool'

interface Stage {
  readonly scene: Scene
  readonly options: MapOptions
  /** m within which the pointer meets a thing. */
  reach(): number
  invalidate(): void
}

export function createEditing({ scene, options, reach, invalidate }: Stage) {
  const steps: Steps = options.steps ?? { history: undefined }

  const choose = (ids: readonly string[]) => {
    const { selection } = scene
    if (ids.length === selection.length && ids.every((id, i) => id === selection[i])) return
    scene.selection = ids
    options.onSelect?.(ids)
    invalidate()
  }
  const show = (map: MapDocument | undefined) => {
    scene.map = map
    choose(scene.selection.filter((id) => map && markById(map, id)))
    invalidate()
  }
  const step = (move: typeof undo<MapDocument>) => {
    if (!steps.history) return
    const history = move(steps.history)
    steps.history = history
    show(history.now)
    options.onCommit?.(history.now)
  }

  const editor: Editor = {
    get map() {
      if (!steps.history) throw new Error('no map is shown')
      return steps.history.now
    },
    get selected() {
      return scene.selection.length === 1 ? scene.selection[0] : undefined
    },
    get selection() {
      return scene.selection
    },
    get reach() {
      return reach()
    },
    draft: (draft) => {
      scene.draft = draft
      options.onDraft?.(draft)
      invalidate()
    },
    commit: (map) => {
      if (!steps.history) return
      steps.history = commit(steps.history, map)
      show(map)
      options.onCommit?.(map)
    },
    refuse: (refusal) => {
      if (scene.refusal === undefined && refusal === undefined) return
      scene.refusal = refusal
      options.onRefuse?.(refusal)
      invalidate()
    },
    select: (id) => choose(id === undefined ? [] : [id]),
    choose,
    marquee: (box) => {
      scene.marquee = box
      invalidate()
    },
  }

  return {
    steps,
    editor,
    show,
    /** Shows a map. Undo steps stay while its revision does, and where a session has brought it. */
    replace: (map: MapDocument | undefined, same: boolean) => {
      const { history } = steps
      const goesOn = same && map && history && scene.map?.revision === map.revision
      if (history?.now !== map) steps.history = goesOn ? { ...history, now: map } : map && begin(map)
    },
    undo: () => step(undo),
    redo: () => step(redo),
    /** Moves what is chosen, unless some of it would lie beyond the map. */
    nudge: (dx: number, dy: number) => {
      const now = withMoved(editor.map, scene.selection, dx, dy)
      if (now.beyond.length === 0) editor.commit(now.map)
    },
    /** Takes marks away, as one undo step. */
    remove: (...ids: readonly string[]) => editor.commit(withoutMarks(editor.map, ids)),
    chosen: () => chosenMarks(editor.map, scene.selection),
    /** Copies of marks beside where they stood, and chosen. */
    paste: (marks: readonly Mark[]) => {
      const { map, ids } = withCopies(editor.map, marks)
      if (ids.length === 0) return
      editor.commit(map)
      choose(ids)
    },
  }
}
