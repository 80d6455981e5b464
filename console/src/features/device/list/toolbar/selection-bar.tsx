/** What is done with the chosen robots at once: each call keeps its right, and says of each robot what came of it. */
import { Suspense, useState } from 'react'
import { Button } from '@/shared/controls/button'
import { useTranslation } from '@/shared/i18n/text'
import { raw } from '@/shared/rpc/call'
import { loadEveryRow } from '@/shared/rpc/every-row'
import { CHOSEN_MOST, type Selection, SelectionBar } from '@/widgets/list/selection/selection'
import { ownZone } from '@/widgets/list/sheet/cells'
import { ExportButton } from '@/widgets/list/tools/export-button'
import { DRIVE, VIEW } from '../../action-menu'
import { withTexts } from '../../actions'
import { useAllowed, useOnOrder } from '../../use-actions'
import type { ListPayload } from './filters'

const OwnersDialog = withTexts(
  'asset',
  'fleet',
)(async () => (await import('../../registration/owners-dialog')).OwnersDialog)
const AddToGroupDialog = withTexts()(async () => (await import('../../orders/group-dialog')).AddToGroupDialog)

const GROUPS = { needs: ['device/group'] }
const OWNERS = { needs: ['device/index/edit_owner'] }

interface Props {
  selection: Selection
  loaded: number
  total: number
  payload: ListPayload
}

export function ManyBar({ selection, loaded, total, payload }: Props) {
  const { t } = useTranslation('device')
  const allowed = useAllowed()
  const { pause, sendHome } = useOnOrder()
  const [dialog, setDialog] = useState<'owner' | 'group'>()
  const [loading, setLoading] = useState(false)
  const ids = [...selection.ids]
  const close = () => setDialog(undefined)
  const chooseWhole = async () => {
    setLoading(true)
    try {
      const rows = await loadEveryRow('/device/selectDevicePc', payload, CHOSEN_MOST)
      selection.choose(rows.map(({ deviceId }) => deviceId))
    } finally {
      setLoading(false)
    }
  }
  return (
    <SelectionBar {...{ selection, loaded, total, loading }} onWhole={() => void chooseWhole()}>
      {allowed(VIEW) && (
        <Button size="small" onClick={() => pause(ids)}>
          {t('pause')}
        </Button>
      )}
      {allowed(DRIVE) && (
        <Button size="small" onClick={() => sendHome(ids)}>
          {t('common:return-to-charge')}
        </Button>
      )}
      {allowed(GROUPS) && (
        <Button size="small" onClick={() => setDialog('group')}>
          {t('add-to-group')}
        </Button>
      )}
      {allowed(OWNERS) && (
        <Button size="small" onClick={() => setDialog('owner')}>
          {t('change-owner')}
        </Button>
      )}
      <ExportButton name="export" fetch={(form) => raw('/device/export', { deviceIds: ids, zone: ownZone(), form })} />
      <Suspense>
        {dialog === 'owner' && <OwnersDialog ids={ids} onClose={close} onDone={selection.clear} />}
        {dialog === 'group' && <AddToGroupDialog ids={ids} onClose={close} onDone={selection.clear} />}
      </Suspense>
    </SelectionBar>
  )
}
