/** How far the robot's parts are worn; nothing where nobody entered how long one lives. */
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Fact, Facts } from '@/shared/ui/facts'
import { Panel } from '@/shared/ui/panel'
import { partWord } from '../parts/part-words'
import { Hours } from '../parts/upkeep'
import styles from './info.module.css'

export function WearPanel({ serial }: { serial: string }) {
  const { t } = useTranslation('upkeep')
  const wear = useCall('/deviceConsumable/consumableInfo', { deviceSerialNumber: serial })
  const parts = (wear.data?.list ?? []).filter(({ lifeHours }) => lifeHours !== null)
  if (parts.length === 0) return null
  return (
    <Panel title={t('fleet:consumables')} className={styles.panel}>
      <Facts ends className={styles.wear}>
        {parts.map(({ name, usedHours, lifeHours, state }) => (
          <Fact key={name} name={t(partWord(name))}>
            <Hours used={usedHours} hours={lifeHours} state={state} />
          </Fact>
        ))}
      </Facts>
    </Panel>
  )
}
