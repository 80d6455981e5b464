/** Takes a map away: whole, as any map_server reads it, or as a picture. */

import { Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { raw } from '@/shared/rpc/call'
import { saveAs } from '@/shared/save-as'
import { Modal } from '@/shared/ui/modal'
import { Problem } from '@/widgets/form/field'
import type { MapRow } from '../row'
import { useRobotAction } from './use-robot-action'

const FORMS = ['bundle', 'plain', 'keepout', 'png'] as const

export function DownloadDialog({ map, onClose }: { map: MapRow; onClose(): void }) {
  const { t } = useTranslation('map')
  const action = useRobotAction()
  const [form, setForm] = useState<(typeof FORMS)[number]>('bundle')
  const fetchMap = async () =>
    saveAs(await raw('/map/bundle', { mapId: map.mapId, form }), `${map.name}.${form === 'png' ? 'png' : 'zip'}`)
  return (
    <Modal
      open
      title={t('download-named', { name: map.name })}
      okText={t('download')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy }}
      onOk={() => void action.run(fetchMap, onClose)}
      onCancel={onClose}
    >
      <Radio.Group
        style={{ display: 'grid', gap: 'var(--space-m)' }}
        aria-label={t('download-named', { name: map.name })}
        value={form}
        onChange={({ target }) => setForm(target.value)}
        options={FORMS.map((value) => ({ value, label: t(`form-${value}`) }))}
      />
      <Problem text={action.problem} />
    </Modal>
  )
}
