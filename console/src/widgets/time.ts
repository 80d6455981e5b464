/** A moment as ms, however the wire writes it: lists of the server say ISO 8601, the live socket says ms. */
export function toMs(moment: string | number | null | undefined): number | null {
  if (moment == null) return null
  const ms = typeof moment === 'number' ? moment : Date.parse(moment)
  return Number.isFinite(ms) ? ms : null
}
