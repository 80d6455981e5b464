/** How a robot is reached: its node and ports, and its SIM card, of which the provider is asked by a press. */
import { Button } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Fact, Facts } from '@/shared/ui/facts'
import { QueryView } from '@/shared/ui/query-view'
import type { Robot } from '@/widgets/robot/robot'
import { SIM_PROVIDERS } from '../registration/fields'
import { FactsPanel } from './facts'
import { useRefusal } from './refusal'

const MB = 1e6 // bytes, as providers count

export function Connection({ row }: { row: Robot }) {
  const { t } = useTranslation('fleet')
  const [read, setRead] = useState('')
  const provider = row.simSupport === null ? '' : (SIM_PROVIDERS[row.simSupport] ?? '')
  const refusal = useRefusal(row.deviceId)
  return (
    <FactsPanel
      title={t('connection')}
      facts={[
        { label: t('transfer-node'), value: row.frpHost, ltr: true },
        { label: t('asset:frp-port'), value: row.frpPort, ltr: true },
        { label: t('asset:ssh-port'), value: row.sshPort, ltr: true },
        { label: t('asset:web-port'), value: row.webPort, ltr: true },
        { label: t('asset:traffic'), value: row.traffic, ltr: true },
        { label: t('sim-card'), value: row.simNo, ltr: true },
        { label: t('asset:sim-provider'), value: provider, ltr: true },
        { label: t('refused-last'), value: refusal },
      ]}
    >
      {row.simNo && read === row.simNo && <SimData number={row.simNo} />}
      {row.simNo && read !== row.simNo && (
        <Button size="small" onClick={() => setRead(row.simNo)}>
          {t('sim-data')}
        </Button>
      )}
    </FactsPanel>
  )
}

function SimData({ number }: { number: string }) {
  const { t } = useTranslation('fleet')
  const { bytes } = useFormats()
  const card = useCall('/device/getSimInfo', { cNo: number })
  return (
    <QueryView query={card}>
      {({ status, usedMb, totalMb, expireDate }) => (
        <Facts ends>
          <Fact name={t('sim-status')}>
            <bdi>{status}</bdi>
          </Fact>
          <Fact name={t('sim-used')}>
            <bdi dir="ltr">
              {bytes(usedMb * MB)} / {bytes(totalMb * MB)}
            </bdi>
          </Fact>
          <Fact name={t('sim-expires')}>
            <bdi dir="ltr">{expireDate}</bdi>
          </Fact>
        </Facts>
      )}
    </QueryView>
  )
}
