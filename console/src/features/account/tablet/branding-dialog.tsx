/** What the tablets of a dealer's robots look like, and beside it such a tablet as it will be. */
import { Input, Radio } from 'antd'
import { useState } from 'react'
import { Segment, Segments } from '@/shared/controls/segments'
import { type TextKey, useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { LIMITS } from '@/shared/rpc/limits'
import { Columns, Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { QueryView } from '@/shared/ui/query-view'
import { Deliveries } from '@/widgets/delivery/deliveries'
import { Field, Problem } from '@/widgets/form/field'
import type { Value } from '@/widgets/form/fields'
import { Outcome } from '@/widgets/form/outcome'
import { QuotaLine } from '@/widgets/form/quota-line'
import { useAction } from '@/widgets/form/use-action'
import { useForm } from '@/widgets/form/use-form'
import { type Look, SCREENS, type Screen, TILES } from '@/widgets/tablet/look'
import { TabletPreview } from '@/widgets/tablet/preview'
import { FIELDS, formRowOf, PICTURES, type Row as Saved, THEMES, tilesOf, USUAL } from './parts'
import { PictureField } from './picture-field'
import styles from './tablet.module.css'

const LIMIT = LIMITS['/user/updatePadConfig']
const NAMES = FIELDS.map(({ name }) => name)
const WIDTH = 1180 // px: form and tablet beside each other

export function TabletBranding({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('tablet')
  const query = useCall('/user/selectPadConfig')
  if (query.data) return <Branding row={query.data.padConfig} onRefresh={query.refetch} onClose={onClose} />
  return (
    <Modal open width={WIDTH} title={t('tablet-customisation')} footer={null} onCancel={onClose}>
      <QueryView query={query}>{() => null}</QueryView>
    </Modal>
  )
}

interface Props {
  /** What is saved; null: nothing was chosen yet. */
  row: Saved | null
  onRefresh(): Promise<unknown>
  onClose(): void
}

function Branding({ row, onRefresh, onClose }: Props) {
  const { t } = useTranslation('tablet')
  const form = useForm<Look, TextKey<'tablet'>>(FIELDS, row ? formRowOf(row) : undefined, USUAL)
  const action = useAction('/user/updatePadConfig', t('save'), NAMES)
  const [screen, setScreen] = useState<Screen>('home')
  const look = form.values
  const set = (part: Parameters<typeof form.changeAll>[0], to: Screen) => {
    form.changeAll(part)
    setScreen(to)
  }
  const fault = (name: keyof Look) => {
    const key = form.faultAt(name)
    return key ? t(key) : action.problemAt(name)
  }
  const format = (name: string, value: Value) => {
    if (name === 'themeColor') return t(colourWord(String(value)))
    return name === 'aboutUs' ? String(value) : t(value ? 'a-picture' : 'none')
  }
  const send = () => {
    if (!form.ready()) return
    const { updateTime } = form
    const fields = { ...look, homeTiles: [...tilesOf(look)], ...(updateTime && { updateTime }) }
    action.run(fields, () => {
      notice('success', t('saved'))
      onClose()
    })
  }
  return (
    <Modal
      open
      width={WIDTH}
      title={t('tablet-customisation')}
      okText={t('save')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy, disabled: action.late.length > 0 }}
      onOk={send}
      onCancel={onClose}
    >
      <div className={styles.branding}>
        <Row stack gap="l">
          <Themes value={look.themeColor} onChange={(themeColor) => form.changeAll({ themeColor })} />
          <Field label={t('about-us')} hint={t('about-how')} fault={fault('aboutUs')}>
            <Input.TextArea
              rows={3}
              value={look.aboutUs}
              maxLength={LIMIT.aboutUs.maxLength}
              onChange={(event) => set({ aboutUs: event.target.value }, 'about')}
            />
          </Field>
          {PICTURES.map(([name, word, at]) => (
            <PictureField
              key={name}
              kind={name}
              label={t(word)}
              url={look[name]}
              fault={fault(name)}
              onChange={(url) => set({ [name]: url }, at)}
            />
          ))}
          <Tiles
            look={look}
            fault={fault('homeTiles')}
            onChange={(place, url) => set((all) => ({ homeTiles: tilesOf(all).with(place, url).join() }), 'home')}
          />
          <QuotaLine kind="pictures" />
        </Row>
        <div className={styles.beside}>
          <Segments label={t('preview')}>
            {SCREENS.map((name) => (
              <Segment key={name} on={name === screen} onChoose={() => setScreen(name)}>
                {t(`screen-${name}`)}
              </Segment>
            ))}
          </Segments>
          <TabletPreview look={look} screen={screen} />
        </div>
      </div>
      {row && <Deliveries of="look" />}
      <Outcome
        form={{ ...form, takeOver: (names) => form.takeOver(names) }}
        {...{ action, format, onRefresh }}
        label={(name) => t(FIELDS.find((field) => field.name === name)?.label ?? 'tablet-customisation')}
      />
      <Problem text={form.refused ? t('incomplete') : undefined} />
    </Modal>
  )
}

interface TilesProps {
  look: Look
  fault: string | undefined
  onChange(place: number, url: string): void
}

/** One picture for each of them; the words are those of the preview. */
function Tiles({ look, fault, onChange }: TilesProps) {
  const { t } = useTranslation('tablet')
  const tiles = tilesOf(look)
  return (
    <Columns gap="l">
      {TILES.map((word, place) => (
        <PictureField
          key={word}
          kind="homeTile"
          label={`${t('home-tile')}: ${t(word)}`}
          url={tiles[place] ?? ''}
          fault={tiles[place] ? undefined : fault}
          onChange={(url) => onChange(place, url)}
        />
      ))}
    </Columns>
  )
}

const colourWord = (value: string) => {
  const name = THEMES.find(([colour]) => colour === value)?.[1] ?? 'default'
  return `shell:colour-${name}` as const
}

function Themes({ value, onChange }: { value: string; onChange(colour: string): void }) {
  const { t } = useTranslation('tablet')
  return (
    <fieldset className={styles.themes}>
      <legend>
        <Text as="span">{t('theme-colour')}</Text>
      </legend>
      <Radio.Group value={value} onChange={(event) => onChange(String(event.target.value))}>
        {THEMES.map(([colour]) => (
          <Radio key={colour} value={colour}>
            <i className={styles.swatch} style={{ background: colour }} /> {t(colourWord(colour))}
          </Radio>
        ))}
      </Radio.Group>
    </fieldset>
  )
}
