/** The grades of a zone, a note and a photo. The server counts a form once, however often it is sent. */
import { Button, Input } from 'antd'
import { useRef } from 'react'
import { type TextKey, useTranslation } from '@/shared/i18n/text'
import { useSend } from '@/shared/rpc/hooks'
import { LIMITS } from '@/shared/rpc/limits'
import { randomCode } from '@/shared/rpc/random'
import { upload } from '@/shared/rpc/upload'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { DraftNote } from '@/widgets/form/draft/draft-note'
import { Field, Problem } from '@/widgets/form/field'
import type { FormField } from '@/widgets/form/fields'
import { useAttempt } from '@/widgets/form/use-attempt'
import { useForm } from '@/widgets/form/use-form'
import { blobOf } from './photo'
import { PhotoField } from './photo-field'
import { GRADE_WORDS, GRADES, type Grade, ITEM_WORDS, ITEMS, type Item } from './row'
import styles from './spot-check.module.css'

interface Props {
  mapId: number
  room: string
  zone: string
  onSaved(score: number): void
}

type Form = Readonly<Record<Item, Grade | null> & { note: string; photo: string; ref: string }>

const FIELDS: readonly FormField<string, TextKey<'spotcheck'>>[] = [
  ...ITEMS.map((name) => ({ name, label: ITEM_WORDS[name] })),
  { name: 'note', label: 'note' },
  { name: 'photo', label: 'photo' },
  { name: 'ref', label: 'save' },
]
const NAMES = ['items', 'note', 'photo']
const REF_LETTERS = 24

const blank = (): Form => ({
  ...{ floor: null, edges: null, dust: null, litter: null },
  ...{ note: '', photo: '', ref: randomCode(REF_LETTERS) },
})

const gradesOf = (form: Form): Partial<Record<Item, Grade>> =>
  Object.fromEntries(ITEMS.flatMap((item) => (form[item] === null ? [] : [[item, form[item]]])))

export function GradeForm({ mapId, room, zone, onSaved }: Props) {
  const { t } = useTranslation('spotcheck')
  const form = useForm<Form>(FIELDS, undefined, blank(), `spot-check-${mapId}-${room}`)
  const attempt = useAttempt(NAMES, t('save'))
  const { mutateAsync } = useSend('/spotCheck/insertSpotCheck', { quiet: true })
  const sent = useRef<{ photo: string; name: string }>(undefined) // so that a second try sends no second photo
  const { values } = form
  const items = gradesOf(values)
  const graded = Object.values(items)
  const store = async (photo: string) => {
    if (!photo) return ''
    if (sent.current?.photo === photo) return sent.current.name
    const body = new FormData()
    body.append('file', blobOf(photo), 'photo.jpg')
    const name = (await upload('/spotCheck/uploadPhoto', body)).photo
    sent.current = { photo, name }
    return name
  }
  const send = async () => {
    if (!form.ready() || graded.length === 0) return
    const { note, photo, ref } = values
    const answer = await attempt.run(
      async () => mutateAsync({ mapId, room, items, note, ref, photo: await store(photo) }),
      () => onSaved(graded.reduce((sum: number, grade) => sum + grade, 0) / graded.length),
    )
    if (!answer) form.changeAll({}) // what was refused stays in the browser
  }
  return (
    <Panel title={t('grade')}>
      <Row stack gap="l" pad="l panel">
        <DraftNote savedAt={form.draftOf} onDiscard={form.discard} />
        {ITEMS.map((item) => (
          <ItemGrades key={item} item={item} value={values[item]} onChange={(grade) => form.change(item, grade)} />
        ))}
        <Field label={t('note')} fault={attempt.problemAt('note')}>
          <Input.TextArea
            rows={3}
            value={values.note}
            maxLength={LIMITS['/spotCheck/insertSpotCheck'].note.maxLength}
            onChange={(event) => form.change('note', event.target.value)}
          />
        </Field>
        <PhotoField
          zone={zone}
          value={values.photo}
          fault={attempt.problemAt('photo')}
          onChange={(photo) => form.change('photo', photo)}
        />
        <Text size="small" tone="soft">
          {t('stays')}
        </Text>
        <Problem text={attempt.problemAt('items') ?? attempt.problem} />
        <Button
          type="primary"
          size="large"
          block
          loading={attempt.busy}
          disabled={graded.length === 0}
          onClick={() => void send()}
        >
          {graded.length === 0 ? t('grade-one') : t('save')}
        </Button>
      </Row>
    </Panel>
  )
}

interface ItemProps {
  item: Item
  value: Grade | null
  onChange(grade: Grade | null): void
}

/** A second press takes the grade back: the item was not looked at. */
function ItemGrades({ item, value, onChange }: ItemProps) {
  const { t } = useTranslation('spotcheck')
  return (
    <fieldset className={styles.item}>
      <legend>
        <b>{t(ITEM_WORDS[item])}</b>
        <span>{value === null ? t('not-looked-at') : t(GRADE_WORDS[value])}</span>
      </legend>
      {GRADES.map((grade) => (
        <button
          key={grade}
          type="button"
          aria-pressed={grade === value}
          aria-label={`${grade}: ${t(GRADE_WORDS[grade])}`}
          onClick={() => onChange(grade === value ? null : grade)}
        >
          {grade}
        </button>
      ))}
    </fieldset>
  )
}
