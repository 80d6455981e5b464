/** Before tabs close with something that is not saved: it stays for later, or it goes. */

import { Button } from '@/shared/controls/button'
import { Dialog } from '@/shared/controls/dialog'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'

interface Props {
  /** Titles of the tabs. */
  names: readonly string[]
  onBack(): void
  onClose(discard: boolean): void
}

export function UnsavedDialog({ names, onBack, onClose }: Props) {
  const { t } = useTranslation('shell')
  const { list } = useFormats()
  return (
    <Dialog
      title={t('unsaved-title')}
      onClose={onBack}
      footer={
        <>
          <Button onClick={onBack}>{t('common:cancel')}</Button>
          <Button danger onClick={() => onClose(true)}>
            {t('close-and-discard')}
          </Button>
          <Button type="primary" onClick={() => onClose(false)}>
            {t('close-and-keep')}
          </Button>
        </>
      }
    >
      {t('unsaved-text', { names: list(names) })}
    </Dialog>
  )
}
