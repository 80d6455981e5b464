/** What may be chosen in a robot's fields; and the button that has the server find a free port. */

import { Button } from '@/shared/controls/button'
import { currentLanguage } from '@/shared/i18n/i18n'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import type { Option } from '@/widgets/form/fields'
import { useAction } from '@/widgets/form/use-action'
import { SIM_PROVIDERS } from './fields'

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
const PROTOCOLS = [2, 3]

/** By the name of the field. */
export function useOptions(): Readonly<Record<string, readonly Option[]>> {
  const { t } = useTranslation('asset')
  const types = useCall('/device/selectDeviceType')
  const nodes = useCall('/wmDeviceHostInfo/queryList', {})
  const places = useCall('/wmDeviceHostInfo/places')
  const names = new Intl.DisplayNames(currentLanguage(), { type: 'region', fallback: 'code' })
  return {
    deviceType: (types.data?.list ?? []).map(({ typeId, typeName }) => ({ value: typeId, label: typeName })),
    frpHost: [
      { value: '', label: t('no-node') },
      ...(nodes.data?.list ?? []).map(({ name, url }) => ({ value: url, label: `${name} · ${url}` })),
    ],
    area: [
      { value: '', label: t('unknown-country') },
      ...(places.data?.countries ?? []).map((code) => ({ value: code, label: names.of(code) ?? code })),
    ],
    simSupport: SIM_PROVIDERS.map((label, value) => ({ value, label })),
    zone: ZONES.map((zone) => ({ value: zone, label: zone })),
    protocolVersion: PROTOCOLS.map((value) => ({ value, label: String(value) })),
  }
}

/** Asks the server for one that nobody else gets. */
export function FreePort({ host, onPort }: { host: string; onPort: (port: number) => void }) {
  const { t } = useTranslation('asset')
  const action = useAction('/device/generateFrpPort', t('free-port'))
  return (
    <Button
      type="text"
      size="small"
      loading={action.busy}
      danger={action.problem !== undefined}
      title={action.problem ?? t('free-port')}
      onClick={() => action.run({ frpHost: host }, ({ port }) => onPort(port))}
    >
      {t('free-port')}
    </Button>
  )
}
