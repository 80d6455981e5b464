/** The parts of a robot that wear: how far they are, how long they live, and that one was replaced. */
import { Button, DatePicker, InputNumber, Modal } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Text } from '@/shared/ui/layout'
import { QueryView } from '@/shared/ui/query-view'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { DialogProps } from '../dialog-props'
import { ChangedByOther, DoneSoFar, Hours } from './upkeep'
import styles from './upkeep.module.css'

type Part = Answer<'/deviceConsumable/consumableInfo'>['list'][number]
type Item = Part['name']

const WORDS: Readonly<Record<Item, string>> = {
  'dust bag': 'dust-bag',
  'edge brush': 'side-brush',
  filter: 'air-filter',
  'roller brush': 'roller-brush',
  'thin edge brush': 'thin-side-brush',
  'thin roller brush': 'thin-roller-brush',
  'wheel rubber': 'wheel-rubber',
}
const DAY = 'YYYY-MM-DD'

export function ConsumablesDialog({ row, onClose }: DialogProps) {
  const { t } = useTranslation('upkeep')
  const of = { deviceSerialNumber: row.deviceSerialNumber }
  const query = useCall('/deviceConsumable/consumableInfo', of)
  const action = useAction('/deviceConsumable/consumableEdit', t('save'))
  const [lives, setLives] = useState<Partial<Record<Item, number | null>>>({})
  const [replacing, setReplacing] = useState<Item>()
  const named = (item: string) => t(WORDS[item as Item] ?? item)
  const changed = (query.data?.list ?? []).flatMap(({ name, lifeHours }) => {
    const life = lives[name]
    return life === undefined || life === null || life === lifeHours ? [] : [{ item: name, lifeHours: life }]
  })
  const wrong = changed.some(({ lifeHours }) => !(lifeHours > 0))
  const send = () => {
    const payload = { ...of, items: changed, ...(query.data && { updateTime: query.data.updateTime }) }
    action.run(payload, () => setLives({}))
  }
  const refresh = () => void query.refetch().then(action.reset)
  return (
    <Modal
      open
      width={760}
      title={t('consumables-of', { name: row.deviceCode })}
      okText={t('save')}
      cancelText={t('close')}
      okButtonProps={{ loading: action.busy, disabled: changed.length === 0 || wrong || action.late.length > 0 }}
      onOk={send}
      onCancel={onClose}
    >
      <Text tone="quiet" below="m">
        {t('hours-how')} {t('warned-how')}
      </Text>
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
                    life={part.name in lives ? (lives[part.name] ?? null) : part.lifeHours}
                    onLife={(hours) => setLives({ ...lives, [part.name]: hours })}
                    onReplace={() => setReplacing(replacing === part.name ? undefined : part.name)}
                  />
                  {replacing === part.name && (
                    <Replace
                      part={part}
                      word={named(part.name)}
                      updateTime={updateTime}
                      onRefresh={query.refetch}
                      onDone={() => setReplacing(undefined)}
                    />
                  )}
                </li>
              ))}
            </ul>
            <DoneSoFar done={done} named={named} />
          </>
        )}
      </QueryView>
      <Problem text={wrong ? t('fault-hours') : action.late.length > 0 ? undefined : action.problem} />
      <ChangedByOther names={action.late.map(named)} onRefresh={refresh} />
    </Modal>
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

interface ReplaceProps {
  part: Part
  word: string
  updateTime: string
  onRefresh(): Promise<unknown>
  onDone(): void
}

function Replace({ part, word, updateTime, onRefresh, onDone }: ReplaceProps) {
  const { t } = useTranslation('upkeep')
  const [day, setDay] = useState(dayjs().format(DAY))
  const [before, setBefore] = useState<number | null>(0)
  const action = useAction('/deviceConsumable/consumableUpdate', t('replace-part'), ['replaceDate', 'usedHours'])
  const send = () =>
    action.run(
      {
        ...{ deviceSerialNumber: part.deviceSerialNumber, item: part.name, usedHours: before ?? 0, updateTime },
        ...(day !== dayjs().format(DAY) && { replaceDate: day }),
      },
      onDone,
    )
  return (
    <div className={styles.replace}>
      <Field label={t('replaced-on')} fault={action.problemAt('replaceDate')}>
        <DatePicker
          value={dayjs(day)}
          maxDate={dayjs()}
          allowClear={false}
          onChange={(chosen) => setDay((chosen ?? dayjs()).format(DAY))}
        />
      </Field>
      <Field label={t('worked-before')} fault={action.problemAt('usedHours')}>
        <InputNumber
          className={styles.full ?? ''}
          dir="ltr"
          controls={false}
          min={0}
          max={1_000_000}
          value={before}
          onChange={setBefore}
        />
      </Field>
      <Button type="primary" loading={action.busy} aria-label={t('record-replacement', { name: word })} onClick={send}>
        {t('save')}
      </Button>
      <Problem text={action.late.length > 0 ? undefined : action.problem} />
      <ChangedByOther
        names={action.late.length > 0 ? [word] : []}
        onRefresh={() => void onRefresh().then(action.reset)}
      />
    </div>
  )
}
