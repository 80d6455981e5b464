/** A robot's log as it writes it: filtered, paused, followed. */
import { Button, Input, Segmented } from 'antd'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { live, useShow } from '@/shared/live/live'
import { useCall } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Nothing } from '@/shared/ui/query-view'
import { DevicePicker } from '@/widgets/form/device-picker'
import { SupportClosed } from '@/widgets/support-closed'
import styles from '../devicelog.module.css'
import { KIND_WORDS } from '../rows'
import { LIVE_KINDS, type LiveKind, useLiveAddress } from './address'
import { addLines, having, type Line, NO_LINES, type Part } from './lines'

const WIDTH = 1000
const NEAR_PX = 24
const LONGEST_WORDS = 100

const STATE_WORDS = {
  following: 'live-following',
  silent: 'live-silent',
  refused: 'live-refused',
  ended: 'live-ended',
} as const

export function LiveDialog() {
  const { t } = useTranslation('devicelog')
  const { robot, kind, show, close } = useLiveAddress()
  return (
    <Modal open width={WIDTH} title={t('live-log')} footer={null} onCancel={close}>
      <Row stack gap="m">
        <Row wrap gap="m">
          <DevicePicker
            value={robot}
            label={t('common:robot')}
            placeholder={t('choose-robot')}
            onChange={(next) => show(next, kind)}
          />
          <Segmented
            aria-label={t('kind')}
            value={kind}
            options={LIVE_KINDS.map((value) => ({ value, label: t(KIND_WORDS[value]) }))}
            onChange={(next) => show(robot, next)}
          />
        </Row>
        {robot === undefined ? (
          <Nothing why={t('live-choose')} />
        ) : (
          <LiveLog key={`${robot} ${kind}`} robot={robot} kind={kind} />
        )}
      </Row>
    </Modal>
  )
}

interface Props {
  robot: number
  kind: LiveKind
}

/** `state` is what the robot's server said last; undefined: nothing yet. */
function useLog({ robot, kind }: Props) {
  const [lines, setLines] = useState(NO_LINES)
  const [state, setState] = useState<Part['state']>()
  useShow({ log: { id: robot, kind } })
  useEffect(
    () =>
      live.subscribe(robot, 'log', (part) => {
        if (part.log !== kind) return
        setState(part.state)
        setLines((before) => addLines(before, part))
      }),
    [robot, kind],
  )
  return { list: lines.list, state, clear: () => setLines((before) => ({ ...before, list: [] })) }
}

function LiveLog(props: Props) {
  const { t } = useTranslation('devicelog')
  const { list, state, clear } = useLog(props)
  const [words, setWords] = useState('')
  const [held, setHeld] = useState<readonly Line[]>()
  const device = useCall('/device/selectDeviceByDeviceId', { deviceId: props.robot })
  const lines = having(held ?? list, words)
  const last = held?.at(-1)
  const waiting = held ? list.length - (last ? list.lastIndexOf(last) + 1 : 0) : 0
  const showsLines = state !== 'closed' && state !== 'ended'
  return (
    <>
      <Row wrap gap="m">
        <Input
          allowClear
          className={styles.words ?? ''}
          maxLength={LONGEST_WORDS}
          placeholder={t('filter-lines')}
          aria-label={t('filter-lines')}
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
        <Button onClick={() => setHeld(held ? undefined : list)} disabled={!showsLines}>
          {t(held ? 'common:resume' : 'common:pause')}
        </Button>
        <Button onClick={clear} disabled={held !== undefined || list.length === 0}>
          {t('clear-lines')}
        </Button>
      </Row>
      {state === 'closed' && device.data && <SupportClosed ownerId={device.data.ownerUserId} />}
      {showsLines && <LineList lines={lines} held={held !== undefined} searched={words.trim() !== ''} />}
      {state !== 'closed' && (
        <Text role="status" tone="quiet" size="small">
          {t(state ? STATE_WORDS[state] : 'live-asking')}
          {waiting > 0 && ' · '}
          {waiting > 0 && t('lines-waiting', { lines: waiting })}
        </Text>
      )}
    </>
  )
}

interface ListProps {
  lines: readonly Line[]
  held: boolean
  searched: boolean
}

/** Follows the newest line until somebody scrolls away from it, and again once they are back. */
function LineList({ lines, held, searched }: ListProps) {
  const { t } = useTranslation('devicelog')
  const box = useRef<HTMLElement>(null)
  const [follows, setFollows] = useState(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new line moves the box
  useLayoutEffect(() => {
    if (follows && !held && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [lines, follows, held])
  const isNear = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement) =>
    scrollHeight - scrollTop - clientHeight < NEAR_PX
  return (
    <>
      <section
        ref={box}
        className={`${styles.lines} ${styles.live}`}
        dir="ltr"
        role="log"
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
        aria-label={t('live-log')}
        onScroll={({ currentTarget }) => setFollows(isNear(currentTarget))}
      >
        {lines.length === 0 && <bdi>{t(searched ? 'no-lines' : 'live-none')}</bdi>}
        {lines.map(({ text, missing }) => `${missing ? `⋯ ${t('lines-missing', { lines: missing })}\n` : ''}${text}\n`)}
      </section>
      {!follows && (
        <Row>
          <Button onClick={() => setFollows(true)}>{t('to-newest')}</Button>
        </Row>
      )}
    </>
  )
}
