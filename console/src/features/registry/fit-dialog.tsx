/** Fits a batch's parts in all its devices, after it has shown how many lack something. */

import { useEffect } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useSend } from '@/shared/rpc/hooks'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { Loading } from '@/shared/ui/query-view'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'

interface Props {
  batchId: number
  name: string
  onClose(): void
}

export function FitDialog({ batchId, name, onClose }: Props) {
  const { t } = useTranslation('registry')
  const { number } = useFormats()
  const { mutate: ask, data: plan } = useSend('/deviceProductBatch/fit', { action: t('fit') })
  const action = useAction('/deviceProductBatch/fit', t('fit'))
  useEffect(() => ask({ batchId }), [ask, batchId])
  const done = ({ changed }: { changed: number }) => {
    notice('success', t('fit-done', { count: changed }))
    onClose()
  }
  return (
    <Modal
      open
      title={t('fit-named', { name })}
      okText={t('fit')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy, disabled: !plan?.changed }}
      onOk={() => action.run({ batchId, confirm: true }, done)}
      onCancel={onClose}
    >
      {plan ? (
        <>
          <p>{t('fit-plan', { devices: number(plan.robots), lacking: number(plan.changed) })}</p>
          {plan.names.length > 0 && (
            <p>
              <bdi>{plan.names.join(' · ')}</bdi>
            </p>
          )}
          <p>{t('fit-how')}</p>
        </>
      ) : (
        <Loading />
      )}
      <Problem text={action.problem} />
    </Modal>
  )
}
