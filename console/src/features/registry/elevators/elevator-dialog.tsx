/** One lift at work: how it stands, its last rides, and a person's word: out of service, back, released. */

import { Button, Input } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { textOr, useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { LIMITS } from '@/shared/rpc/limits'
import { useMay } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Nothing } from '@/shared/ui/query-view'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { Column } from '@/widgets/list/columns'
import { ShortList } from '@/widgets/list/short-list'
import styles from './elevator.module.css'
import { type ElevatorRow, ElevatorState, useReason } from './elevator-state'

const PAGE = 20
type Word = 'out' | 'back' | 'release'

interface Props {
  elevator: ElevatorRow
  onClose(): void
}

export function ElevatorDialog({ elevator, onClose }: Props) {
  const { t } = useTranslation('registry')
  const now = useCall('/elevator/selectInfoByElevatorId', { elevatorId: elevator.elevatorId }, { keep: true })
  const mayList = useMay('device/index')
  const row = now.data ?? elevator
  return (
    <Modal open width={720} title={<bdi>{elevator.elevatorName}</bdi>} footer={null} onCancel={onClose}>
      <section className={styles.live} aria-live="polite" aria-label={t('lift-now')}>
        <ElevatorState elevator={row} />
        {!row.adapted && (
          <Text as="small" tone="help">
            {t('not-adapted')}
          </Text>
        )}
      </section>
      <Words elevator={row} />
      {mayList && <Riders elevatorId={elevator.elevatorId} />}
      <h3 className={styles.head}>{t('lift-rides')}</h3>
      <Rides elevatorId={elevator.elevatorId} />
    </Modal>
  )
}

/** The robots to which it is given. */
function Riders({ elevatorId }: { elevatorId: number }) {
  const { t } = useTranslation('registry')
  const robots = useCall('/device/selectDeviceByElevatorId', { elevatorId }).data?.list ?? []
  if (robots.length === 0) return null
  return (
    <>
      <h3 className={styles.head}>{t('lift-robots')}</h3>
      <Row as="ul" wrap gap="m">
        {robots.map(({ deviceId, deviceCode }) => (
          <li key={deviceId}>
            <Link to={`/device/info?deviceId=${deviceId}`}>
              <bdi>{deviceCode}</bdi>
            </Link>
          </li>
        ))}
      </Row>
    </>
  )
}

/** Each wants a reason, which is recorded. */
function Words({ elevator }: { elevator: ElevatorRow }) {
  const { t } = useTranslation('registry')
  const [word, setWord] = useState<Word>()
  const [reason, setReason] = useState('')
  const service = useAction('/elevator/setService', t('lift-out'), ['reason'])
  const release = useAction('/elevator/release', t('release'), ['reason'])
  const action = word === 'release' ? release : service
  const held = Boolean(elevator.live.holder || elevator.live.occupant)
  const choose = (chosen: Word | undefined) => {
    setWord(chosen)
    setReason('')
    service.reset()
    release.reset()
  }
  const send = () => {
    const { elevatorId } = elevator
    const done = () => choose(undefined)
    if (word === 'release') release.run({ elevatorId, reason }, done)
    else service.run({ elevatorId, out: word === 'out', reason }, done)
  }
  if (!word)
    return (
      <Row wrap gap="m">
        {elevator.outOfService ? (
          <Button onClick={() => choose('back')}>{t('put-back')}</Button>
        ) : (
          <Button onClick={() => choose('out')}>{t('take-out')}</Button>
        )}
        <Button disabled={!held} onClick={() => choose('release')}>
          {t('release')}
        </Button>
      </Row>
    )
  return (
    <Row stack gap="m" above="m" below="l">
      {word !== 'back' && <p>{t(word === 'out' ? 'take-out-how' : 'release-how')}</p>}
      <Field label={t('lift-reason')} fault={action.problemAt('reason')}>
        <Input
          autoFocus
          value={reason}
          maxLength={LIMITS['/elevator/setService'].reason.maxLength}
          onChange={(event) => {
            setReason(event.target.value)
            action.reset()
          }}
          onPressEnter={send}
        />
      </Field>
      <Problem text={action.problem} />
      <Row wrap gap="m">
        <Button
          type="primary"
          danger={word !== 'back'}
          loading={action.busy}
          disabled={reason.trim() === ''}
          onClick={send}
        >
          {t(word === 'out' ? 'take-out' : word === 'back' ? 'put-back' : 'release')}
        </Button>
        <Button onClick={() => choose(undefined)}>{t('cancel')}</Button>
      </Row>
    </Row>
  )
}

type Ride = Answer<'/elevator/rides'>['list'][number]

const COLUMNS: readonly Column<Ride>[] = [
  { key: 'askedAt', label: 'ride-asked', cell: ({ askedAt }, { dateTime }) => dateTime(Date.parse(askedAt)) },
  { key: 'deviceCode', label: 'robot', heading: true },
  {
    key: 'way',
    label: 'ride-way',
    value: ({ fromFloor, toFloor }) => [fromFloor, toFloor].filter(Boolean).join(' → '),
  },
  {
    key: 'outcome',
    label: 'ride-outcome',
    value: ({ endedAt, reason, phase }) => (endedAt ? reason : phase),
    cell: (ride) => <Outcome ride={ride} />,
  },
]

function Outcome({ ride }: { ride: Ride }) {
  const { t } = useTranslation('registry')
  const why = useReason()
  return ride.endedAt ? why(ride.reason) : textOr(t, `phase-${ride.phase}`, ride.phase)
}

function Rides({ elevatorId }: { elevatorId: number }) {
  const { t } = useTranslation('registry')
  const [page, setPage] = useState(1)
  const rides = useCall('/elevator/rides', { elevatorId, currentPage: page, pageSize: PAGE }, { keep: true })
  return (
    <ShortList
      texts="registry"
      label={t('lift-rides')}
      columns={COLUMNS}
      query={rides}
      idOf={({ rideId }) => rideId}
      empty={<Nothing why={t('no-rides')} />}
      paging={{ page, size: PAGE, onPage: setPage }}
    />
  )
}
