/** The parts of a robot that wear: how far they are, how long they live, and that one was replaced. */

import { Button, InputNumber } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { type TextKey, useTranslation } from '@/shared/i18n/text'
import { isKeyOf } from '@/shared/keys'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Text } from '@/shared/ui/layout'
import { QueryView } from '@/shared/ui/query-view'
import type { FormRow, Rule, Values } from '@/widgets/form/fields'
import { Outcome } from '@/widgets/form/outcome'
import { useAction } from '@/widgets/form/use-action'
import { useForm } from '@/widgets/form/use-form'
import type { DialogProps } from '../dialog-props'
import { type Item, PART_WORDS } from './part-words'
import { Replace } from './replace-part'
import { DoneSoFar, Hours } from './upkeep'
import styles from './upkeep.module.css'
import { UpkeepSheet } from './upkeep-sheet'

type Consumables = Answer<'/deviceConsumable/consumableInfo'>
type Part = Consumables['list'][number]

/** The service lives, as one row of a form whose fields are the parts. */
const formRowOf = ({ list, updateTime }: Consumables): FormRow & Values => ({
  ...Object.fromEntries(list.map(({ name, lifeHours }) => [name, lifeHours])),
  updateTime,
})

const life: Rule<TextKey<'upkeep'>> = (hours) => (hours !== null && !(Number(hours) > 0) ? 'fault-hours' : undefined)

export function ConsumablesDialog({ row, onClose }: DialogProps) {
  const { deviceSerialNumber } = row
  const query = useCall('/deviceConsumable/consumableInfo', { deviceSerialNumber })
  const { data } = query
  const { t } = useTranslation('upkeep')
  const { number } = useFormats()
  const action = useAction('/deviceConsumable/consumableEdit', t('save'))
  const [replacing, setReplacing] = useState<Item>()
  const named = (item: string) => (isKeyOf(PART_WORDS, item) ? t(PART_WORDS[item]) : item)
  const fields = (data?.list ?? []).map(({ name }) => ({ name, label: PART_WORDS[name], rule: life }))
  const form = useForm<Values>(fields, data && formRowOf(data), {})
  const late = action.late.length > 0
  const changed = form.typed.flatMap((item) => {
    const hours = form.values[item]
    return isKeyOf(PART_WORDS, item) && typeof hours === 'number' ? [{ item, lifeHours: hours }] : []
  })
  const wrong = changed.some(({ lifeHours }) => life(lifeHours, form.values))
  /** What was changed here is the server's now; what is typed beside it stays. */
  const follow = async (names: readonly string[]) => {
    const newest = await query.refetch()
    if (newest.data) form.takeOver(names, formRowOf(newest.data))
  }
  const send = () => {
    const { updateTime } = form
    const payload = { deviceSerialNumber, items: changed, ...(updateTime && { updateTime }) }
    action.run(payload, () => void follow(form.typed))
  }
  return (
    <UpkeepSheet
      title="consumables-of"
      {...{ row, onClose }}
      okButtonProps={{ loading: action.busy, disabled: changed.length === 0 || wrong || late }}
      onOk={send}
    >
      <QueryView query={query}>
        {({ list, done, updateTime }) => (
          <>
            <div className={`${styles.line} ${styles.head}`} aria-hidden>
              <span>{t('life-hours')}</span>
            </div>
            <ul className={styles.list}>
              {list.map((part) => (
                <li key={part.name}>
                  <PartLine
                    part={part}
                    word={named(part.name)}
                    life={form.values[part.name] as number | null}
                    onLife={(hours) => form.change(part.name, hours)}
                    onReplace={() => setReplacing(replacing === part.name ? undefined : part.name)}
                  />
                  {replacing === part.name && (
                    <Replace
                      part={part}
                      word={named(part.name)}
                      updateTime={updateTime}
                      onRefresh={query.refetch}
                      onDone={() => {
                        setReplacing(undefined)
                        void follow([])
                      }}
                    />
                  )}
                </li>
              ))}
            </ul>
            <DoneSoFar done={done} named={named} />
          </>
        )}
      </QueryView>
      <Outcome
        form={form}
        action={wrong ? { ...action, problem: t('fault-hours') } : action}
        label={named}
        format={(_, hours) => (typeof hours === 'number' ? number(hours, 1) : '')}
        onRefresh={query.refetch}
      />
    </UpkeepSheet>
  )
}

interface LineProps {
  part: Part
  word: string
  life: number | null
  onLife(hours: number | null): void
  onReplace(): void
}

function PartLine({ part, word, life, onLife, onReplace }: LineProps) {
  const { t } = useTranslation('upkeep')
  const { date } = useFormats()
  const replaced = part.replaceDate
  return (
    <div className={styles.line}>
      <Text as="span" strong className={styles.name}>
        {word}
        <small>{replaced ? t('since', { date: date(Date.parse(replaced), 'UTC') }) : t('never-replaced')}</small>
      </Text>
      <Hours used={part.usedHours} hours={part.lifeHours} state={part.state} />
      <InputNumber
        className={styles.full ?? ''}
        dir="ltr"
        aria-label={`${t('life-hours')}: ${word}`}
        placeholder={t('life-hours')}
        controls={false}
        max={1_000_000}
        value={life}
        onChange={onLife}
      />
      <Button size="small" aria-label={`${t('replace-part')}: ${word}`} onClick={onReplace}>
        {t('replace-part')}
      </Button>
    </div>
  )
}
