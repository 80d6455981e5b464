/**
 * Few files for the first loads: what the log-in page, the frame of the console and the list of robots need at once comes
 * in one file each. Everything else is cut by Rolldown where it is imported.
 */
interface Graph {
  getModuleInfo(id: string): { code: string | null; importedIds: readonly string[] } | null
}

/** From the first load to the last; a module belongs to the first that needs it. */
const LOADS = {
  'first-base': ['src/app/main.tsx', 'src/app/login/login-alone.tsx'],
  'first-console': ['src/app/console.tsx', 'src/app/shell/shell.tsx', 'src/app/shell/permitted.tsx'],
  'first-list': ['src/features/device/list/device-screen.tsx', 'src/widgets/list/tools/view-menu.tsx'],
} as const
const ICONS = '/@tabler/icons-react/' // one module a mark, behind a door that imports all of them
const ICON = /\bIcon[A-Z]\w*/g
const ICON_FILE = /(Icon\w+)\.m?js$/

/** The group of a module; null leaves it to Rolldown. `root`: the folder of the console. */
export function chunks(root: string) {
  let groups: Map<string, string> | undefined
  return (id: string, graph: Graph): string | null => {
    groups ??= groupsOf(root, graph)
    if (!id.includes(ICONS)) return groups.get(id) ?? null
    const icon = ICON_FILE.exec(id)?.[1]
    return icon === undefined ? 'first-base' : (groups.get(icon) ?? null)
  }
}

/** Groups by module, and by name of an icon. */
function groupsOf(root: string, graph: Graph): Map<string, string> {
  const groups = new Map<string, string>()
  for (const [group, entries] of Object.entries(LOADS)) {
    const waiting = entries.map((entry) => `${root}${entry}`)
    const absent = waiting.filter((id) => !graph.getModuleInfo(id))
    if (absent.length > 0) throw new Error(`the build has no ${absent.join(', ')}`)
    const seen = new Set<string>()
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (seen.has(id)) continue
      seen.add(id)
      const { code, importedIds } = graph.getModuleInfo(id) ?? { code: null, importedIds: [] }
      const names = importedIds.some((other) => other.includes(ICONS)) ? (code?.match(ICON) ?? []) : []
      for (const name of [id, ...names]) if (!groups.has(name)) groups.set(name, group)
      waiting.push(...importedIds.filter((other) => !other.includes(ICONS)))
    }
  }
  return groups
}
