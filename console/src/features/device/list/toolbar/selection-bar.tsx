/** What is done with the chosen robots at once. */
import { Suspense, useState } from 'react'
import { Button } from '@/shared/controls/button'
import { useTranslation } from '@/shared/i18n/text'
import { Row } from '@/shared/ui/layout'
import { withTexts } from '../../actions'

const OwnersDialog = withTexts(
  'asset',
  'fleet',
)(async () => (await import('../../registration/owners-dialog')).OwnersDialog)

export function ManyBar({ ids, onDone }: { ids: ReadonlySet<number>; onDone(): void }) {
  const { t } = useTranslation('device')
  const [giving, setGiving] = useState(false)
  return (
    <Row wrap gap="m" align="center" size="control" role="status">
      <b>{t('count-selected', { count: ids.size })}</b>
      <Button size="small" type="primary" onClick={() => setGiving(true)}>
        {t('change-owner')}
      </Button>
      <Button size="small" onClick={onDone}>
        {t('clear-choice')}
      </Button>
      <Suspense>{giving && <OwnersDialog ids={[...ids]} onClose={() => setGiving(false)} onDone={onDone} />}</Suspense>
    </Row>
  )
}
