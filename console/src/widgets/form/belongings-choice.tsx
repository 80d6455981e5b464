/** A robot goes to another owner: what becomes of its maps, tasks, recordings and password. The texts are `asset`'s. */
import { Radio } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from './belongings-choice.module.css'
import { Warning } from './field'

const BELONGINGS = ['keep', 'hand_over', 'erase'] as const
export type Belongings = (typeof BELONGINGS)[number]

export function BelongingsChoice({ value, onChange }: { value: Belongings; onChange(belongings: Belongings): void }) {
  const { t } = useTranslation('asset')
  return (
    <fieldset className={styles.box}>
      <legend className={styles.says}>{t('things-how')}</legend>
      <Radio.Group value={value} onChange={(event) => onChange(event.target.value as Belongings)}>
        <div className={styles.choice}>
          {BELONGINGS.map((value) => (
            <Radio key={value} value={value}>
              {t(`things-${value.replace('_', '-')}`)}
              <small>{t(`things-${value.replace('_', '-')}-how`)}</small>
            </Radio>
          ))}
        </div>
      </Radio.Group>
      <Warning>{t('given-how')}</Warning>
    </fieldset>
  )
}
