/** Begins a line of software, or says for which type of robots it is. */
import { useTranslation } from '@/shared/i18n/text'
import { type FormField, limitsOf, type Option } from '@/widgets/form/fields'
import { FormDialog } from '@/widgets/form/form-dialog'
import { useAction } from '@/widgets/form/use-action'
import type { SoftRow } from '../rows'
import { model, name } from '../rules'

interface Props {
  line: SoftRow | undefined
  types: readonly Option[]
  onClose(): void
}

const TYPE = { name: 'typeId', label: 'common:device-type', kind: 'choice', wide: true, rule: model } as const
const NEW = [{ name: 'typeName', label: 'name', wide: true, rule: name }, TYPE] as const
const NAMES = ['typeName', 'typeId']

export function LineDialog({ line, types, onClose }: Props) {
  const { t } = useTranslation('version')
  const insert = useAction('/version/insertVersion', t('common:add'), NAMES)
  const move = useAction('/version/updateVersion', t('common:save'), NAMES)
  const fields: readonly FormField[] = line ? [TYPE] : NEW
  return (
    <FormDialog
      texts="version"
      title={line ? t('shell:edit-named', { name: line.typeName }) : t('add-software')}
      fields={fields}
      limits={limitsOf('/version/insertVersion')}
      options={{ typeId: types }}
      row={line}
      start={{ typeName: '', typeId: null }}
      draft={line ? `/version/line ${line.versionId}` : '/version/line'}
      action={line ? move : insert}
      onSend={(values) => {
        const typeId = Number(values.typeId)
        if (line) void move.run({ versionId: line.versionId, typeId }, onClose)
        else void insert.run({ typeName: String(values.typeName), typeId }, onClose)
      }}
      onClose={onClose}
    />
  )
}
