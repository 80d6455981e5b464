/** Whose a robot was, and when its work was set back. Accounts out of sight stay unnamed. */
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { useCall } from '@/shared/rpc/hooks'
import { Panel } from '@/shared/ui/panel'
import { QueryView } from '@/shared/ui/query-view'
import { toMs } from '@/widgets/time'
import styles from './info.module.css'

export function Past({ deviceId }: { deviceId: number }) {
  const { t } = useTranslation('fleet')
  const { dateTime, area, duration } = useFormats()
  const past = useCall('/device/selectHistory', { deviceId })
  const when = (at: string) => dateTime(toMs(at) ?? 0)
  return (
    <Panel title={t('history')} className={styles.panel}>
      <QueryView query={past}>
        {({ owners, resets }) =>
          owners.length + resets.length === 0 ? (
            <p className={styles.remark}>{t('no-history')}</p>
          ) : (
            <ul className={styles.past}>
              {owners.map(({ at, fromName, toName, things: belongings, erasing }) => (
                <li key={`owner ${at}`}>
                  <time dateTime={at}>{when(at)}</time>
                  <span>
                    <bdi>{fromName ?? t('another-account')}</bdi> → <bdi>{toName ?? t('another-account')}</bdi>
                  </span>
                  <small>
                    {t(`asset:things-${belongings.replace('_', '-')}`)}
                    {erasing && <> · {t('still-erasing')}</>}
                  </small>
                </li>
              ))}
              {resets.map(({ at, reason, area: cleaned, seconds, by }) => (
                <li key={`reset ${at}`}>
                  <time dateTime={at}>{when(at)}</time>
                  <span>{t('work-was-reset', { area: area(cleaned).text, time: duration(seconds) })}</span>
                  <small>
                    <bdi>{reason}</bdi> · <bdi>{by ?? t('another-account')}</bdi>
                  </small>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  )
}
