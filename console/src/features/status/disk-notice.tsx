/** Administrators see that the server's disk runs low before uploads are refused. */
import { Alert } from 'antd'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { useSession } from '@/shared/session/session'

const LOOK_MS = 60_000

export function DiskNotice() {
  const administrator = useSession()?.levelDepth === 1
  return administrator && <Notice />
}

function Notice() {
  const { t } = useTranslation('status')
  const { bytes } = useFormats()
  const disk = useCall('/oss/diskSpace', undefined, { goodMs: LOOK_MS }).data
  if (!disk?.low) return null
  const refused = disk.free <= disk.reserve
  return (
    <Alert
      type={refused ? 'error' : 'warning'}
      showIcon
      title={t(refused ? 'disk-full' : 'disk-low', { free: bytes(disk.free), reserve: bytes(disk.reserve) })}
    />
  )
}
