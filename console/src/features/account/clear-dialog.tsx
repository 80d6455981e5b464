/** Clears what is old: first what would go is counted, then it goes, and the counts say what went. */

import { Button } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Fact, Facts } from '@/shared/ui/facts'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { QueryView } from '@/shared/ui/query-view'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'

type Counts = Answer<'/user/cleanCache'>

const sum = ({ list }: Counts) => list.reduce((all, { count }) => all + count, 0)

export function ClearDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('people')
  const [cleared, setCleared] = useState<Counts>()
  const counted = useCall('/user/cleanCache', { confirm: false }, { enabled: !cleared, staleTime: 0 })
  const action = useAction('/user/cleanCache', t('clear-data'))
  const some = counted.data !== undefined && sum(counted.data) > 0
  const close = <Button onClick={onClose}>{t('close')}</Button>
  const clear = (
    <Button danger type="primary" loading={action.busy} onClick={() => action.run({ confirm: true }, setCleared)}>
      {t('clear-data')}
    </Button>
  )
  return (
    <Modal
      open
      title={t('clear-data')}
      footer={
        some && !cleared ? (
          <>
            <Button onClick={onClose}>{t('cancel')}</Button>
            {clear}
          </>
        ) : (
          close
        )
      }
      onCancel={onClose}
    >
      {cleared ? (
        <div role="status">
          <Text tone="quiet" below="m">
            {t('cleared', { count: sum(cleared) })}
          </Text>
          <Kinds counts={cleared} />
        </div>
      ) : (
        <QueryView query={counted}>{(counts) => <Summary counts={counts} />}</QueryView>
      )}
      <Problem text={action.problem} />
    </Modal>
  )
}

function Summary({ counts }: { counts: Counts }) {
  const { t } = useTranslation('people')
  const { date } = useFormats()
  const before = date(Date.parse(counts.before))
  if (sum(counts) === 0)
    return (
      <Text tone="quiet" below="m">
        {t('clear-none', { date: before })}
      </Text>
    )
  return (
    <>
      <Text tone="quiet" below="m">
        {t('clear-how', { date: before })}
      </Text>
      <Kinds counts={counts} />
    </>
  )
}

function Kinds({ counts }: { counts: Counts }) {
  const { column } = useFormats()
  return (
    <Facts ends>
      {counts.list.map(({ kind, kindName, count }) => (
        <Fact key={kind} name={kindName}>
          <b>{column(count)}</b>
        </Fact>
      ))}
    </Facts>
  )
}
