/** The way into remote control: the robots that can be controlled here, those that need somebody first. */
import { Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useShow } from '@/shared/live/live'
import { Battery } from '@/shared/marks/battery'
import { StateTag } from '@/shared/marks/state-mark'
import { useCall } from '@/shared/rpc/hooks'
import { Row } from '@/shared/ui/layout'
import { Page, Panel } from '@/shared/ui/panel'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import { useCause } from '@/widgets/alarm/cause'
import { LinkButton } from '@/widgets/list/link-button'
import { controlPath } from '@/widgets/paths'
import { usePlace } from '@/widgets/place'
import styles from './control-list.module.css'

const PAGE_SIZE = 200 // robots that one person controls from; the device list finds any other

export function ControlListScreen() {
  const { t } = useTranslation('control')
  const [text, setText] = useState('')
  const cause = useCause()
  const { place } = usePlace()
  const robots = useCall(
    '/device/selectDevicePc',
    { ...(text && { deviceCode: text }), isPc: '1', currentPage: 1, pageSize: PAGE_SIZE },
    { keep: true },
  )
  useShow({ counts: true })
  return (
    <Page>
      <Input.Search
        className={styles.search}
        allowClear
        aria-label={t('name-or-serial')}
        placeholder={t('name-or-serial')}
        onSearch={setText}
      />
      <Panel>
        <QueryView
          query={robots}
          filtered={text !== ''}
          isEmpty={({ list }) => list.length === 0}
          empty={<Nothing why={t('empty-devices-here')} />}
        >
          {({ list }) => (
            <ul className={styles.list}>
              {list.map((robot) => {
                return (
                  <li key={robot.deviceId}>
                    <Row as="span" stack className={styles.name}>
                      <b>{robot.deviceCode}</b>
                      <span>
                        <bdi dir="ltr">{robot.deviceSerialNumber}</bdi> · {place(robot.address, robot.address1)}
                      </span>
                    </Row>
                    <span>
                      <StateTag row={robot} />
                    </span>
                    <span className={styles.fact}>{robot.mode === 'help' ? cause(robot) : robot.taskName}</span>
                    <span className={styles.battery}>
                      {robot.mode !== 'offline' && <Battery percent={robot.battery} />}
                    </span>
                    <span className={styles.way}>
                      <LinkButton to={controlPath(robot)}>{t('open-control')}</LinkButton>
                    </span>
                  </li>
                )
              })}
            </ul>
          )}
        </QueryView>
      </Panel>
    </Page>
  )
}
