/** One list of actions feeds toolbar, hotkeys, palette and permissions, so that none of them can differ. */
export interface Action<Context> {
  readonly id: string
  /** Keys as `chord` writes them: 'v', '+', 'Escape', 'ctrl+z'. The first is the one that is shown. */
  readonly keys: readonly string[]
  /** Permission key that it needs; without one everybody who sees the map may. */
  readonly needs?: string
  readonly enabled?: (context: Context) => boolean
  readonly pressed?: (context: Context) => boolean
  readonly run: (context: Context) => void
}

export interface KeyStroke {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** A key stroke in one spelling; Command counts as Ctrl, Shift only where the key is not itself another one by it. */
export function chord({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyStroke): string {
  const letter = key.length === 1
  const name = letter ? key.toLowerCase() : key
  const shift = shiftKey && (!letter || /[a-z]/i.test(key))
  return `${ctrlKey || metaKey ? 'ctrl+' : ''}${altKey ? 'alt+' : ''}${shift ? 'shift+' : ''}${name}`
}

const allowed = <C>(action: Action<C>, has: (key: string) => boolean): boolean => !action.needs || has(action.needs)

/** The action of a key stroke that may run now. */
export function actionFor<C>(
  actions: readonly Action<C>[],
  stroke: KeyStroke,
  context: C,
  has: (key: string) => boolean,
): Action<C> | undefined {
  const pressed = chord(stroke)
  return actions.find((a) => a.keys.includes(pressed) && allowed(a, has) && (a.enabled?.(context) ?? true))
}
