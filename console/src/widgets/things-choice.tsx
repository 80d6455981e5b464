/** A robot goes to another owner: what becomes of its maps, tasks, recordings and password. The texts are `asset`'s. */
import { Radio } from 'antd'
import { useTranslation } from 'react-i18next'
import { Warning } from './field'
import styles from './things-choice.module.css'

const THINGS = ['keep', 'hand_over', 'erase'] as const
export type Things = (typeof THINGS)[number]

export function ThingsChoice({ value, onChange }: { value: Things; onChange(things: Things): void }) {
  const { t } = useTranslation('asset')
  return (
    <fieldset className={styles.box}>
      <legend className={styles.says}>{t('things-how')}</legend>
      <Radio.Group value={value} onChange={(event) => onChange(event.target.value as Things)}>
        <div className={styles.things}>
          {THINGS.map((one) => (
            <Radio key={one} value={one}>
              {t(`things-${one.replace('_', '-')}`)}
              <small>{t(`things-${one.replace('_', '-')}-how`)}</small>
            </Radio>
          ))}
        </div>
      </Radio.Group>
      <Warning>{t('given-how')}</Warning>
    </fieldset>
  )
}
