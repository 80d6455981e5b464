/** The editor of one map: a page of its own. What it shows follows the robot; what is drawn stays until it is saved. */

import { useParams } from 'react-router'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import { useSubject } from '@/shared/ui/subject'
import { LinkButton } from '@/widgets/list/link-button'
import { SupportClosed } from '@/widgets/support-closed'
import { Editor } from './editor'

const LIST = '/device/maplist'

export function EditorScreen() {
  const { t } = useTranslation('map')
  const id = Number(useParams().mapId)
  const maps = useCall('/map/selectMap', {}, { keep: true })
  useSubject(maps.data?.list.find((map) => map.mapId === id)?.name)
  return (
    <QueryView query={maps}>
      {({ list }) => {
        const row = list.find((map) => map.mapId === id)
        if (!row)
          return <Nothing why={t('map-gone')} action={<LinkButton to={LIST}>{t('common:map-list')}</LinkButton>} />
        if (row.closed) return <SupportClosed ownerId={row.ownerUserId} />
        return <Editor key={id} row={row} />
      }}
    </QueryView>
  )
}
