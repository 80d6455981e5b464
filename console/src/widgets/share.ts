/** How much of a plan is done, 0 to 1: a tool sweeps a little beyond the edge of what was planned. */
export const shareOf = (cleaned: number, planned: number) => (planned > 0 ? Math.min(1, cleaned / planned) : 0)
