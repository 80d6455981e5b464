/** The screen of a resource: its list, and the dialogs in which a row is added, edited or deleted. */
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { loadEveryRow, type PagedPath } from '@/shared/rpc/every-row'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Nothing, type Query } from '@/shared/ui/query-view'
import { useActions } from '../actions/actions'
import { DeleteDialog } from '../form/delete-dialog'
import { type FormRow, limitsOf, type Values } from '../form/fields'
import { FormDialog } from '../form/form-dialog'
import { useAction } from '../form/use-action'
import { AddButton } from '../list/add-button'
import { useWriting } from '../list/columns'
import { LineAction } from '../list/line-action'
import { ListView, type Paging } from '../list/list-view'
import type { AnyResource } from './resource'

type Request = 'new' | { readonly edit: string } | { readonly remove: FormRow }

interface Props {
  of: AnyResource
  /** What the call is asked for: the filters. */
  payload?: object
  narrowed?: boolean
  onReset?(): void
  search?: ReactNode
  /** Of lists that come page by page. */
  paging?: Paging
  onPage?(page: number): void
  /** For how long the list is good that ages by the clock alone, ms. */
  goodMs?: number
  /** What a new row begins with, beside what the resource says. */
  start?: Values
}

export function ResourceScreen({ of, payload = {}, paging, goodMs, start = {}, ...list }: Props) {
  const { t } = useTranslation(of.texts)
  const [request, setRequest] = useState<Request>()
  const query = useCall(of.list, { ...payload, ...paging } as never, {
    keep: true,
    ...(goodMs && { goodMs }),
  }) as Query<{ list: readonly FormRow[]; total?: number }> & { refetch(): Promise<unknown> }
  const idOf = (row: FormRow) => String(row[of.id])
  const nameOf = (row: FormRow) => String(row[of.title])
  const add = <AddButton onClick={() => setRequest('new')}>{t(of.add)}</AddButton>
  const close = () => setRequest(undefined)
  useActions([{ id: 'add', label: t(of.add), keys: ['n'], run: () => setRequest('new') }])
  const edit = (row: FormRow) => setRequest({ edit: idOf(row) })
  const holdsKey = useMay(of.editKey ?? '')
  const mayEdit = of.editKey === undefined || holdsKey
  const edited =
    typeof request === 'object' && 'edit' in request
      ? query.data?.list.find((row) => idOf(row) === request.edit)
      : undefined
  const { Actions } = of
  return (
    <>
      <ListView
        {...list}
        {...(paging && { paging })}
        {...{ query, idOf }}
        // A resource whose screen gives pages answers pages.
        {...(paging && {
          loadAll: async () => (await loadEveryRow(of.list as PagedPath, payload)) as unknown as FormRow[],
        })}
        name={of.name}
        texts={of.texts}
        label={t(of.label)}
        columns={of.columns}
        empty={<Nothing why={t(of.empty)} action={add} />}
        tools={add}
        {...(mayEdit && { onOpen: edit })}
        actions={(row) => (
          <>
            {Actions && <Actions row={row} />}
            {mayEdit && <LineAction icon={IconPencil} label={t('edit')} name={nameOf(row)} onClick={() => edit(row)} />}
            <LineAction
              danger
              icon={IconTrash}
              label={t('delete')}
              name={nameOf(row)}
              onClick={() => setRequest({ remove: row })}
            />
          </>
        )}
      />
      {(request === 'new' || edited) && (
        <Editing of={of} row={edited} start={{ ...of.start, ...start }} onRefresh={query.refetch} onClose={close} />
      )}
      {typeof request === 'object' && 'remove' in request && <Deletion of={of} row={request.remove} onClose={close} />}
    </>
  )
}

interface EditingProps {
  of: AnyResource
  row: FormRow | undefined
  start: Values
  onRefresh(): Promise<unknown>
  onClose(): void
}

function Editing({ of, row, start, onRefresh, onClose }: EditingProps) {
  const { t } = useTranslation(of.texts)
  const options = of.useOptions()
  const names = of.fields.map(({ name }) => name)
  const insert = useAction(of.insert, t('add'), names)
  const update = useAction(of.update, t('save'), names)
  // The fields are the call's own: `resource` has checked them.
  const send = (values: Values, updateTime: string | undefined) =>
    row
      ? update.run({ ...values, [of.key]: row[of.id], ...(updateTime && { updateTime }) } as never, onClose)
      : insert.run(values as never, onClose)
  return (
    <FormDialog
      texts={of.texts}
      title={row ? t('shell:edit-named', { name: String(row[of.title]) }) : t(of.add)}
      fields={of.fields}
      limits={limitsOf(of.insert)}
      {...{ options, row, start, onRefresh, onClose }}
      draft={row ? `${of.update} ${row[of.id]}` : of.insert}
      action={row ? update : insert}
      onSend={send}
    />
  )
}

function Deletion({ of, row, onClose }: { of: AnyResource; row: FormRow; onClose(): void }) {
  const writing = useWriting(of.texts)
  const action = useAction(of.remove, writing.t('delete'))
  const warning = of.warning?.(row, writing)
  return (
    <DeleteDialog
      name={String(row[of.title])}
      action={action}
      onDelete={() => action.run({ [of.key]: row[of.id], ...(warning && { confirm: true }) } as never, onClose)}
      onClose={onClose}
    >
      {warning}
    </DeleteDialog>
  )
}
