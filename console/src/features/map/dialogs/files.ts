/** What a person picked for an import: one zip, a map_server yaml with the image that it names, a building or a Valetudo map. */

export type Picked =
  | { readonly kind: 'ready'; readonly files: readonly File[]; readonly name: string }
  | { readonly kind: 'wrong'; readonly reason: 'yaml-missing' | 'image-missing' | 'too-many' | 'too-large' | 'unknown' }

const LARGEST = 128 * 1024 * 1024 // as the server's map road
const stem = (name: string) => name.replace(/(\.building)?\.[^.]+$/i, '')
const ends = (file: File, ...endings: string[]) => endings.some((e) => file.name.toLowerCase().endsWith(e))

export function picked(files: readonly File[]): Picked {
  const wrong = (reason: Extract<Picked, { kind: 'wrong' }>['reason']): Picked => ({ kind: 'wrong', reason })
  if (files.reduce((sum, file) => sum + file.size, 0) > LARGEST) return wrong('too-large')
  const zips = files.filter((f) => ends(f, '.zip'))
  const yamls = files.filter((f) => ends(f, '.yaml', '.yml'))
  const images = files.filter((f) => ends(f, '.pgm', '.png'))
  const [first] = files
  if (files.length === 1 && first && ends(first, '.json', 'building.yaml'))
    return { kind: 'ready', files, name: stem(first.name) }
  if (zips.length + yamls.length + images.length < files.length) return wrong('unknown')
  if (zips.length > 0)
    return files.length === 1 ? { kind: 'ready', files, name: stem(files[0]?.name ?? '') } : wrong('too-many')
  if (yamls.length > 1 || images.length > 1) return wrong('too-many')
  const [yaml] = yamls
  if (!yaml) return wrong('yaml-missing')
  if (images.length === 0) return wrong('image-missing')
  return { kind: 'ready', files, name: stem(yaml.name) }
}
