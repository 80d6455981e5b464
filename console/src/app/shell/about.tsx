/** What this is, which build, and under which licence. */
import { Button } from '@/shared/controls/button'
import { Dialog } from '@/shared/controls/dialog'
import { useTranslation } from '@/shared/i18n/text'
import { VERSION } from '@/shared/session/session'
import { Fact, Facts } from '@/shared/ui/facts'

export function About({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('shell')
  return (
    <Dialog title={t('about')} onClose={onClose} footer={<Button onClick={onClose}>{t('common:close')}</Button>}>
      <Facts>
        <Fact name={t('common:version')} ltr>
          {VERSION}
        </Fact>
        <Fact name={t('licence')} ltr>
          Apache-2.0
        </Fact>
        <Fact name={t('this-server')} ltr>
          {location.host}
        </Fact>
      </Facts>
    </Dialog>
  )
}
