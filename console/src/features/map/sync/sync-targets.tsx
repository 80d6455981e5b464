/** Robots that a map may go to, building by building; who is away is marked, who has the very map already cannot be chosen. */
import { Checkbox } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { StateMark } from '@/shared/marks/state-mark'
import type { Answer } from '@/shared/rpc/contract'
import { Row, Text } from '@/shared/ui/layout'
import { usePlace } from '@/widgets/place'
import styles from './sync.module.css'

type Target = Answer<'/map/syncTargets'>['list'][number]

interface Props {
  robots: readonly Target[]
  chosen: readonly number[]
  onChange(chosen: readonly number[]): void
}

function byBuilding(robots: readonly Target[]) {
  const groups = new Map<string, Target[]>()
  for (const robot of robots) groups.set(robot.building, [...(groups.get(robot.building) ?? []), robot])
  return [...groups]
}

export function SyncTargets({ robots, chosen, onChange }: Props) {
  const { t } = useTranslation('sync')
  const { floor } = usePlace()
  const tick = (ids: readonly number[], on: boolean) =>
    onChange(on ? [...new Set([...chosen, ...ids])] : chosen.filter((id) => !ids.includes(id)))
  return (
    <fieldset className={styles.targets}>
      <legend>{t('targets')}</legend>
      {byBuilding(robots).map(([building, targets]) => {
        const ids = targets.filter((robot) => robot.there !== 'same').map((robot) => robot.deviceId)
        const on = ids.filter((id) => chosen.includes(id)).length
        return (
          <section key={building}>
            <Checkbox
              className={styles.building ?? ''}
              disabled={ids.length === 0}
              checked={ids.length > 0 && on === ids.length}
              indeterminate={on > 0 && on < ids.length}
              onChange={(event) => tick(ids, event.target.checked)}
            >
              {building ? t('all-of', { building }) : t('no-building')}
            </Checkbox>
            <ul>
              {targets.map((robot) => (
                <li key={robot.deviceId}>
                  <Checkbox
                    disabled={robot.there === 'same'}
                    checked={chosen.includes(robot.deviceId)}
                    onChange={(event) => tick([robot.deviceId], event.target.checked)}
                  >
                    <bdi>{robot.deviceCode}</bdi>
                    {robot.floor && (
                      <small>
                        <bdi>{floor(robot.floor)}</bdi>
                      </small>
                    )}
                  </Checkbox>
                  <Text as="span" size="small" tone="soft" className={styles.comparison} data-there={robot.there}>
                    {t(`there-${robot.there}`)}
                  </Text>
                  {!robot.online && (
                    <Row as="span" inline gap="xs" align="center" className={styles.away}>
                      <StateMark state="offline" size={14} />
                      {t('offline')}
                    </Row>
                  )}
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </fieldset>
  )
}
