/** Which of one's robots an account sees beside its own. What was bound and is not on this page of the search stays. */

import { IconSearch } from '@tabler/icons-react'
import { Button, Checkbox, Input } from 'antd'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useCall, usePages } from '@/shared/rpc/hooks'
import { LIMITS } from '@/shared/rpc/limits'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { QueryView } from '@/shared/ui/query-view'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { UserRow } from '@/widgets/person/person'
import styles from './users.module.css'

const PAGE = 50

export function BindDialog({ row, onClose }: { row: UserRow; onClose: () => void }) {
  const { t } = useTranslation('people')
  const [text, setText] = useState('')
  const [picked, setPicked] = useState<ReadonlySet<number>>()
  const search = useDeferredValue(text.trim())
  const bound = useCall('/user/selectUserDeviceList', { targetUserId: row.userId })
  const robots = usePages('/device/selectDevicePc', { isPc: '1', ...(search && { deviceCode: search }) }, PAGE)
  const action = useAction('/user/updateDeviceList', t('bind-robots'))
  const chosen = picked ?? new Set(bound.data?.list.map(({ deviceId }) => deviceId))
  const flip = (id: number, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(id)
    else next.delete(id)
    setPicked(next)
  }
  return (
    <Modal
      open
      title={t('bind-named', { name: row.name })}
      okText={t('save')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy, disabled: !bound.data || picked === undefined }}
      onOk={() => action.run({ targetUserId: row.userId, deviceIds: [...chosen] }, onClose)}
      onCancel={onClose}
    >
      <Text tone="quiet" below="m">
        {t('bind-how')}
      </Text>
      <Row gap="l" align="center">
        <Input
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder={t('name-or-serial')}
          aria-label={t('name-or-serial')}
          prefix={<IconSearch size={16} stroke={1.75} />}
          maxLength={LIMITS['/device/selectDevicePc'].deviceCode.maxLength}
          allowClear
        />
        <Text as="span" size="small" tone="quiet" role="status" style={{ flex: 'none' }}>
          {t('count-selected', { count: chosen.size })}
        </Text>
      </Row>
      <QueryView query={bound}>
        {() => (
          <QueryView query={robots} filtered={search !== ''} isEmpty={({ pages }) => pages[0]?.total === 0}>
            {({ pages }) => (
              <Row as="ul" stack gap="m" pad="m l" above="m" surface className={styles.robots}>
                {pages
                  .flatMap(({ list }) => list)
                  .map((robot) => (
                    <li key={robot.deviceId}>
                      <Checkbox
                        checked={chosen.has(robot.deviceId)}
                        onChange={(event) => flip(robot.deviceId, event.target.checked)}
                      >
                        <bdi>{robot.deviceCode}</bdi>{' '}
                        <Text as="bdi" dir="ltr" size="small" tone="soft">
                          {robot.deviceSerialNumber}
                        </Text>
                      </Checkbox>
                    </li>
                  ))}
                {robots.hasNextPage && (
                  <li>
                    <Button
                      size="small"
                      loading={robots.isFetchingNextPage}
                      onClick={() => void robots.fetchNextPage()}
                    >
                      {t('show-more')}
                    </Button>
                  </li>
                )}
              </Row>
            )}
          </QueryView>
        )}
      </QueryView>
      <Problem text={action.problem} />
    </Modal>
  )
}
