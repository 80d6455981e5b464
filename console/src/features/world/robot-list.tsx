/** The same robots as a list: for the keyboard, for screen readers, and for those that nobody has placed. */
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { StateTag } from '@/shared/marks/state-mark'
import { useMay } from '@/shared/session/session'
import { controlPath } from '@/widgets/paths'
import type { Placed } from './places'
import styles from './world.module.css'

const STEP = 100

interface Props {
  robots: readonly Placed[]
  countryName(code: string): string
}

export function RobotList({ robots, countryName }: Props) {
  const { t } = useTranslation('world')
  const { number } = useFormats()
  const [most, setMost] = useState(STEP)
  const mayControl = useMay('device_control/index')
  return (
    <>
      <ul className={styles.list}>
        {robots.slice(0, most).map((robot) => {
          const way = mayControl && controlPath(robot)
          const to = way || `/device/index?text=${encodeURIComponent(robot.deviceSerialNumber)}`
          const place = [robot.address, robot.area && countryName(robot.area)].filter(Boolean).join(' · ')
          return (
            <li key={robot.deviceId}>
              <Link to={to}>
                <bdi>{robot.deviceCode}</bdi>
              </Link>
              <StateTag row={robot} />
              <span>{place}</span>
            </li>
          )
        })}
      </ul>
      {robots.length > most && (
        <Button type="text" onClick={() => setMost(most + STEP)}>
          {t('show-more', { rest: number(robots.length - most) })}
        </Button>
      )}
    </>
  )
}
