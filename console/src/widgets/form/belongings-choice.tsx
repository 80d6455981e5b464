/** A robot goes to another owner: what becomes of its maps, tasks, recordings and password. The texts are `asset`'s. */

import { Radio } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { keysOf } from '@/shared/keys'
import styles from './belongings-choice.module.css'
import { Warning } from './field'

const WORDS = { keep: 'things-keep', hand_over: 'things-hand-over', erase: 'things-erase' } as const
export type Belongings = keyof typeof WORDS
const BELONGINGS = keysOf(WORDS)

export function BelongingsChoice({ value, onChange }: { value: Belongings; onChange(belongings: Belongings): void }) {
  const { t } = useTranslation('asset')
  return (
    <fieldset className={styles.box}>
      <legend className={styles.says}>{t('things-how')}</legend>
      <Radio.Group value={value} onChange={(event) => onChange(event.target.value)}>
        <div className={styles.choice}>
          {BELONGINGS.map((value) => (
            <Radio key={value} value={value}>
              {t(WORDS[value])}
              <small>{t(`${WORDS[value]}-how`)}</small>
            </Radio>
          ))}
        </div>
      </Radio.Group>
      <Warning>{t('given-how')}</Warning>
    </fieldset>
  )
}
