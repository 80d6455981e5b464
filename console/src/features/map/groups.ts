/** Maps by building, and in a building by floor: maps of one building share a frame, so they belong side by side. */
import type { MapRow } from './row'

export interface Building {
  /** '': none was given. */
  readonly name: string
  /** All its floors, whichever is shown. */
  readonly floors: readonly string[]
  readonly maps: readonly MapRow[]
}

export interface Level {
  readonly building: string
  readonly floor: string
}

const NATURAL = new Intl.Collator('en', { numeric: true }) // floor 10 comes after floor 9
const ends = (a: string, b: string) => Number(a === '') - Number(b === '') || NATURAL.compare(a, b)

export const buildingsOf = (maps: readonly MapRow[]): readonly string[] =>
  [...new Set(maps.map((map) => map.building))].sort(ends)

/** The buildings that have maps left once a building, and a floor of it, is chosen. */
export function grouped(maps: readonly MapRow[], { building, floor }: Level): readonly Building[] {
  return buildingsOf(maps)
    .filter((name) => building === '' || name === building)
    .map((name) => {
      const own = maps.filter((map) => map.building === name)
      const floors = [...new Set(own.map((map) => map.floor))].sort(ends)
      const onFloor = own.filter((map) => building === '' || floor === '' || map.floor === floor)
      return {
        name,
        floors,
        maps: onFloor.sort((a, b) => ends(a.floor, b.floor) || NATURAL.compare(a.name, b.name) || a.mapId - b.mapId),
      }
    })
    .filter((building) => building.maps.length > 0)
}
