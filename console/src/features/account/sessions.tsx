/** Where the account is logged in; each session but this one can be ended here. */

import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Modal } from '@/shared/ui/modal'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { Column } from '@/widgets/list/columns'
import { ShortList } from '@/widgets/list/short-list'
import { usePasswordAgain } from '@/widgets/person/own-password'

type SessionRow = Answer<'/user/sessions'>['list'][number]

const COLUMNS: readonly Column<SessionRow>[] = [
  { key: 'address', label: 'ip-address', heading: true, ltr: true },
  { key: 'beganTime', label: 'began', cell: ({ beganTime }, { dateTime }) => dateTime(Date.parse(beganTime)) },
  { key: 'lastTime', label: 'last-active', cell: ({ lastTime }, { dateTime }) => dateTime(Date.parse(lastTime)) },
]

export function Sessions({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('people')
  const sessions = useCall('/user/sessions', {}, { staleTime: 0 })
  const action = useAction('/user/endSession', t('end-session'), ['password'])
  const [chosen, setChosen] = useState('')
  const end = (uuid: string) => {
    setChosen(uuid)
    void action.run({ uuid, ...again.payload }, () => undefined)
  }
  const again = usePasswordAgain(action, () => end(chosen))
  return (
    <Modal
      open
      title={t('shell:own-sessions')}
      width={680}
      footer={<Button onClick={onClose}>{t('close')}</Button>}
      onCancel={onClose}
    >
      <ShortList
        texts="people"
        label={t('shell:own-sessions')}
        columns={COLUMNS}
        query={sessions}
        idOf={({ uuid }) => uuid}
        actions={({ uuid, present }) =>
          present ? (
            t('this-session')
          ) : (
            <Button size="small" loading={action.busy && uuid === chosen} onClick={() => end(uuid)}>
              {t('end-session')}
            </Button>
          )
        }
      />
      {again.field}
      <Problem text={action.problem} />
    </Modal>
  )
}
