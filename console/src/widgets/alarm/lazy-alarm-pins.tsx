/** Pins come after the floor: lists of robots, which show floors too, need none. */
import { type ComponentProps, lazy, Suspense } from 'react'

const Loaded = lazy(async () => ({ default: (await import('./alarm-pins')).AlarmPins }))

export const LazyAlarmPins = (props: ComponentProps<typeof Loaded>) => (
  <Suspense fallback={null}>
    <Loaded {...props} />
  </Suspense>
)
