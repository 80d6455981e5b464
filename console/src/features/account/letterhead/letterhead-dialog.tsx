/** Logo and colour of one's reports on paper, with such a paper beside them; and whether each month comes by mail. */
import { IconPhoto, IconTrash } from '@tabler/icons-react'
import { Button, Input, Switch } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useErrorText } from '@/shared/rpc/errors/error-text'
import { useCall } from '@/shared/rpc/hooks'
import { upload } from '@/shared/rpc/upload'
import { colourOf } from '@/shared/theme/tokens'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { QueryView } from '@/shared/ui/query-view'
import { Field, Problem } from '@/widgets/form/field'
import type { FormField, Value } from '@/widgets/form/fields'
import { Outcome } from '@/widgets/form/outcome'
import { QuotaLine } from '@/widgets/form/quota-line'
import { useAction } from '@/widgets/form/use-action'
import { useForm } from '@/widgets/form/use-form'
import { ACCEPTED, faultOf } from '@/widgets/picture/crop'
import { PaperPreview } from './paper-preview'

type View = Answer<'/taskReport/letterhead'>
type Look = Readonly<{ logo: string; colour: string; monthly: boolean }>

const USUAL: Look = { logo: '', colour: '', monthly: false }
const FIELDS = [
  { name: 'logo', label: 'letterhead:logo' },
  { name: 'colour', label: 'letterhead:colour' },
  { name: 'monthly', label: 'letterhead:monthly' },
] as const satisfies readonly FormField[]
const NAMES = FIELDS.map(({ name }) => name)
const ACCENT = colourOf('primary', 'light')

export function Letterhead({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('letterhead')
  const query = useCall('/taskReport/letterhead', {}, { staleTime: 0 })
  if (query.data) return <LetterheadForm view={query.data} onRefresh={query.refetch} onClose={onClose} />
  return (
    <Modal open title={t('title')} footer={null} onCancel={onClose}>
      <QueryView query={query}>{() => null}</QueryView>
    </Modal>
  )
}

interface Props {
  view: View
  onRefresh(): Promise<unknown>
  onClose(): void
}

function LetterheadForm({ view: { letterhead, mailbox }, onRefresh, onClose }: Props) {
  const { t } = useTranslation('letterhead')
  const form = useForm<Look>(FIELDS, letterhead ?? undefined, USUAL)
  const action = useAction('/taskReport/updateLetterhead', t('save'), NAMES)
  const { logo, colour, monthly } = form.values
  const send = () => {
    if (!form.ready()) return
    const { updateTime } = form
    action.run({ ...form.values, ...(updateTime && { updateTime }) }, () => {
      notice('success', t('saved'))
      onClose()
    })
  }
  const format = (name: string, value: Value) => {
    if (name === 'colour') return String(value || t('usual'))
    return t(value ? 'chosen' : 'none')
  }
  return (
    <Modal
      open
      width={560}
      title={t('title')}
      okText={t('save')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy, disabled: action.late.length > 0 }}
      onOk={send}
      onCancel={onClose}
    >
      <Text tone="quiet" below="m">
        {t('how')}
      </Text>
      <PaperPreview logo={logo} colour={colour || ACCENT} />
      <Row stack gap="m" above="l">
        <LogoField url={logo} fault={action.problemAt('logo')} onChange={(url) => form.change('logo', url)} />
        <Row wrap gap="m" align="end">
          <Field label={t('colour')} hint={t('colour-how')} fault={action.problemAt('colour')}>
            <Input
              type="color"
              value={colour || ACCENT}
              onChange={(event) => form.change('colour', event.target.value)}
            />
          </Field>
          <Button disabled={colour === ''} onClick={() => form.change('colour', '')}>
            {t('usual')}
          </Button>
        </Row>
        <Field label={t('monthly')} hint={t(mailbox ? 'monthly-how' : 'monthly-no-mailbox')}>
          <Switch checked={monthly} onChange={(on) => form.change('monthly', on)} />
        </Field>
        <QuotaLine kind="pictures" />
      </Row>
      <Outcome
        form={{ ...form, takeOver: (names) => form.takeOver(names) }}
        {...{ action, format, onRefresh }}
        label={(name) => t(FIELDS.find((field) => field.name === name)?.label ?? 'letterhead:title')}
      />
    </Modal>
  )
}

interface LogoProps {
  url: string
  fault: string | undefined
  onChange(url: string): void
}

/** Sent at once; it stands once the form is saved. */
function LogoField({ url, fault, onChange }: LogoProps) {
  const { t } = useTranslation('letterhead')
  const errorText = useErrorText()
  const input = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<string>()
  const [busy, setBusy] = useState(false)
  const choose = async (files: readonly File[]) => {
    const refused = faultOf(files)
    setWrong(refused && t(`people:${refused as 'select-picture'}`))
    const [file] = files
    if (refused || !file) return
    setBusy(true)
    try {
      const form = new FormData()
      form.append('file', file, 'logo')
      onChange((await upload('/taskReport/uploadLogo', form)).url)
    } catch (error) {
      setWrong(errorText(error, t('choose-logo')))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div>
      <Row wrap gap="m" align="center">
        <Button
          icon={<IconPhoto size={16} stroke={1.75} />}
          loading={busy}
          aria-describedby="logo-how"
          onClick={() => input.current?.click()}
        >
          {t(url ? 'change-logo' : 'choose-logo')}
        </Button>
        {url && (
          <Button icon={<IconTrash size={16} stroke={1.75} />} onClick={() => onChange('')}>
            {t('remove-logo')}
          </Button>
        )}
        <Text as="span" size="small" tone="quiet" id="logo-how">
          {t('logo-how')}
        </Text>
      </Row>
      <input
        ref={input}
        type="file"
        hidden
        accept={ACCEPTED}
        aria-label={t('logo')}
        onChange={(event) => {
          void choose([...(event.target.files ?? [])])
          event.target.value = '' // so that the same file can be chosen again
        }}
      />
      <Problem text={wrong ?? fault} />
    </div>
  )
}
