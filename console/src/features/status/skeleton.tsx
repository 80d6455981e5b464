/** The shape of the status page while its first answer is on the way. */
import { Row } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import floors from './floors.module.css'
import band from './head-band.module.css'
import styles from './status.module.css'

const TILES = 6

export function Skeleton() {
  return (
    <Row stack gap="l" aria-hidden="true">
      <Panel className={band.band}>{null}</Panel>
      <div className={styles.columns}>
        <Row stack gap="m">
          <div className={floors.tiles}>
            {Array.from({ length: TILES }, (_, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: all alike
              <Panel key={i} className={floors.tile}>
                <div className={floors.plan} />
              </Panel>
            ))}
          </div>
        </Row>
        <Panel className={styles.aside}>{null}</Panel>
      </div>
    </Row>
  )
}
