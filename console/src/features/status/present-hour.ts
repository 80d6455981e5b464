/** The latest hour of the day that any of these zones has now; without a zone, the viewer's own. */
export function presentHour(zones: readonly string[], now = new Date()): number {
  const hourIn = (zone: string) =>
    Number(new Intl.DateTimeFormat('en', { hour: '2-digit', hourCycle: 'h23', timeZone: zone }).format(now))
  return zones.length > 0 ? Math.max(...zones.map(hourIn)) : now.getHours()
}
