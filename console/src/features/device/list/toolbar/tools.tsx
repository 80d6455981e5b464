/** What can be done with the list as a whole: groups, types, auth code, a new robot. */
import { IconStack2 } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Button } from '@/shared/controls/button'
import { useTranslation } from '@/shared/i18n/text'
import { raw } from '@/shared/rpc/call'
import { Row } from '@/shared/ui/layout'
import { LinkButton } from '@/widgets/list/link-button'
import { ownZone } from '@/widgets/list/sheet/cells'
import { ExportButton } from '@/widgets/list/tools/export-button'
import { TOOLS, type Tool } from '../../actions'
import { useAllowed } from '../../use-actions'
import type { ListPayload } from './filters'
import styles from './toolbar.module.css'

const GROUPS = { needs: ['device/group'] }

export function Tools({ payload }: { payload: ListPayload }) {
  const { t } = useTranslation('device')
  const allowed = useAllowed()
  const [open, setOpen] = useState<Tool>()
  return (
    <Row wrap gap="m" end className={styles.tools}>
      {allowed(GROUPS) && (
        <LinkButton to="/device/group" icon={<IconStack2 size={16} stroke={1.75} />}>
          {t('device-groups')}
        </LinkButton>
      )}
      <ExportButton name="export" fetch={(form) => raw('/device/export', { ...payload, zone: ownZone(), form })} />
      {TOOLS.filter(allowed).map((tool) => (
        <Button
          key={tool.key}
          type={tool.key === 'add' ? 'primary' : 'default'}
          icon={<tool.icon size={16} stroke={tool.key === 'add' ? 2 : 1.75} />}
          onClick={() => setOpen(tool)}
        >
          {t(tool.word)}
        </Button>
      ))}
      <Suspense>{open && <open.Dialog onClose={() => setOpen(undefined)} />}</Suspense>
    </Row>
  )
}
