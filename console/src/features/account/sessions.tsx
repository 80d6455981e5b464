/** Where the account is logged in; each session but this one can be ended here. */

import { Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { QueryView } from '@/shared/ui/query-view'
import { PlainTable } from '@/shared/ui/table'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'

type SessionRow = Answer<'/user/sessions'>['list'][number]

export function Sessions({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('people')
  const sessions = useCall('/user/sessions', {}, { staleTime: 0 })
  return (
    <Modal
      open
      title={t('shell:own-sessions')}
      width={680}
      footer={<Button onClick={onClose}>{t('close')}</Button>}
      onCancel={onClose}
    >
      <QueryView query={sessions}>
        {({ list }) => (
          <PlainTable>
            <thead>
              <tr>
                <th>{t('ip-address')}</th>
                <th>{t('began')}</th>
                <th>{t('last-active')}</th>
                <th data-actions>
                  <span className="unseen">{t('end-session')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.map((row) => (
                <Line key={row.uuid} row={row} />
              ))}
            </tbody>
          </PlainTable>
        )}
      </QueryView>
    </Modal>
  )
}

function Line({ row }: { row: SessionRow }) {
  const { t } = useTranslation('people')
  const { dateTime } = useFormats()
  const action = useAction('/user/endSession', t('end-session'))
  return (
    <tr>
      <th scope="row">
        <bdi dir="ltr">{row.address}</bdi>
      </th>
      <td data-soft>{dateTime(Date.parse(row.beganTime))}</td>
      <td data-soft>{dateTime(Date.parse(row.lastTime))}</td>
      <td data-actions>
        {row.present ? (
          t('this-session')
        ) : (
          <Button size="small" loading={action.busy} onClick={() => action.run({ uuid: row.uuid }, () => undefined)}>
            {t('end-session')}
          </Button>
        )}
        <Problem text={action.problem} />
      </td>
    </tr>
  )
}
