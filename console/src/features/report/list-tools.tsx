/** What is done with the list of runs as a whole: enter one by hand, delete those of before a day. */
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Button } from '@/shared/controls/button'
import { useTranslation } from '@/shared/i18n/text'
import { AddButton } from '@/widgets/list/add-button'
import { ClearDialog } from './clear-dialog'
import { AddDialog } from './hand-dialog'

export function ListTools() {
  const { t } = useTranslation('report')
  const [open, setOpen] = useState<'add' | 'clear'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <Button icon={<IconTrash size={16} stroke={1.75} />} onClick={() => setOpen('clear')}>
        {t('delete-before')}
      </Button>
      <AddButton onClick={() => setOpen('add')}>{t('add-report')}</AddButton>
      {open === 'clear' && <ClearDialog onClose={close} />}
      {open === 'add' && <AddDialog onClose={close} />}
    </>
  )
}
