/** Figures of a report as the specification counts them: coverage / 1000 is the ratio, efficiency / 100 is m²/h. */
export const coverageRatio = (coverage: number) => coverage / 1000
export const efficiencyM2PerHour = (efficiency: number) => efficiency / 100

interface Areas {
  readonly workArea: number
  readonly reachableArea: number
  readonly cleanedArea: number
}

/** m² of the planned area: cleaned, reachable but not passed over, and not reachable. */
export function shares({ workArea, reachableArea, cleanedArea }: Areas) {
  return {
    cleaned: cleanedArea,
    missed: Math.max(0, reachableArea - cleanedArea),
    unreachable: Math.max(0, workArea - reachableArea),
  }
}
