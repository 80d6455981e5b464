/** What a robot has worked since that was last set back, and setting it back, which wants a reason. */

import { Button, Input } from 'antd'
import { useRef, useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { LIMITS } from '@/shared/rpc/limits'
import { randomCode } from '@/shared/rpc/random'
import { useMay } from '@/shared/session/session'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Panel } from '@/shared/ui/panel'
import { QueryView } from '@/shared/ui/query-view'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { Robot } from '@/widgets/robot/robot'
import { toMs } from '@/widgets/time'
import styles from './info.module.css'

export function WorkPanel({ row }: { row: Robot }) {
  const { t } = useTranslation('fleet')
  const { area, number, dateTime } = useFormats()
  const work = useCall('/device/selectWorkInfoById', { deviceId: row.deviceId })
  const mayReset = useMay('device/index/edit')
  const [resetting, setResetting] = useState(false)
  return (
    <Panel
      title={t('work-information')}
      className={styles.panel}
      extra={
        mayReset && (
          <Button size="small" onClick={() => setResetting(true)}>
            {t('reset')}
          </Button>
        )
      }
    >
      <QueryView query={work}>
        {({ workArea, workTime, workCount, since, reason }) => (
          <>
            <dl className={styles.figures}>
              <div>
                <Text as="dt" size="small" tone="soft">
                  {t('worked-hours')}
                </Text>
                <dd dir="ltr">{workTime}</dd>
              </div>
              <div>
                <Text as="dt" size="small" tone="soft">
                  {t('cleaned-area')}
                </Text>
                <dd>{area(workArea).text}</dd>
              </div>
              <div>
                <Text as="dt" size="small" tone="soft">
                  {t('runs')}
                </Text>
                <dd>{number(workCount)}</dd>
              </div>
            </dl>
            <Text size="small" tone="soft" above="m">
              {t('counted-since', { time: dateTime(toMs(since) ?? 0) })}
              {reason && <bdi>{` · ${reason}`}</bdi>}
            </Text>
          </>
        )}
      </QueryView>
      {resetting && <ResetDialog row={row} onClose={() => setResetting(false)} />}
    </Panel>
  )
}

function ResetDialog({ row, onClose }: { row: Robot; onClose(): void }) {
  const { t } = useTranslation('fleet')
  const [reason, setReason] = useState('')
  const once = useRef(randomCode(24)) // sent again it counts once
  const action = useAction('/device/workInfoResetById', t('reset'), ['reason'])
  return (
    <Modal
      open
      title={t('reset-work', { name: row.deviceCode })}
      okText={t('reset')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy, disabled: reason.trim() === '' }}
      onOk={() => action.run({ deviceId: row.deviceId, reason, hash: once.current }, onClose)}
      onCancel={onClose}
    >
      <p>{t('reset-how')}</p>
      <Field label={t('reason')} fault={action.problemAt('reason')}>
        <Input
          value={reason}
          maxLength={LIMITS['/device/workInfoResetById'].reason.maxLength}
          autoFocus
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
      <Problem text={action.problem} />
    </Modal>
  )
}
