/** Whose a robot was, and when its work was set back. Accounts out of sight stay unnamed. */

import { useFormats } from '@/shared/i18n/format'
import { textOr, useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
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
            <Text size="small" tone="soft" above="m">
              {t('no-history')}
            </Text>
          ) : (
            <Row as="ul" stack rule="between" size="control" above="m">
              {owners.map(({ at, fromName, toName, things: belongings, erasing }) => (
                <Row as="li" stack pad="s xxs" key={`owner ${at}`}>
                  <small>
                    <time dateTime={at}>{when(at)}</time>
                  </small>
                  <span>
                    <bdi>{fromName ?? t('another-account')}</bdi> → <bdi>{toName ?? t('another-account')}</bdi>
                  </span>
                  <small>
                    {textOr(t, `asset:things-${belongings.replace('_', '-')}`, belongings)}
                    {erasing && <> · {t('still-erasing')}</>}
                  </small>
                </Row>
              ))}
              {resets.map(({ at, reason, area: cleaned, seconds, by }) => (
                <Row as="li" stack pad="s xxs" key={`reset ${at}`}>
                  <small>
                    <time dateTime={at}>{when(at)}</time>
                  </small>
                  <span>{t('work-was-reset', { area: area(cleaned).text, time: duration(seconds) })}</span>
                  <small>
                    <bdi>{reason}</bdi> · <bdi>{by ?? t('another-account')}</bdi>
                  </small>
                </Row>
              ))}
            </Row>
          )
        }
      </QueryView>
    </Panel>
  )
}
