/** What is done with the list of runs as a whole: a month of them on paper, one entered by hand, those of before a day deleted. */
import { IconFileTypePdf, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Button } from '@/shared/controls/button'
import { useTranslation } from '@/shared/i18n/text'
import { AddButton } from '@/widgets/list/add-button'
import { ClearDialog } from './clear-dialog'
import { AddDialog } from './hand-dialog'
import { MonthDialog } from './month-dialog'

export function ListTools({ owner }: { owner: number | undefined }) {
  const { t } = useTranslation('report')
  const [open, setOpen] = useState<'add' | 'clear' | 'month'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <Button icon={<IconFileTypePdf size={16} stroke={1.75} />} onClick={() => setOpen('month')}>
        {t('month-report')}
      </Button>
      <Button icon={<IconTrash size={16} stroke={1.75} />} onClick={() => setOpen('clear')}>
        {t('delete-before')}
      </Button>
      <AddButton onClick={() => setOpen('add')}>{t('add-report')}</AddButton>
      {open === 'month' && <MonthDialog owner={owner} onClose={close} />}
      {open === 'clear' && <ClearDialog onClose={close} />}
      {open === 'add' && <AddDialog onClose={close} />}
    </>
  )
}
