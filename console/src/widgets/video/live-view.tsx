/** A robot's camera, live: choose it, watch it for five minutes at a time, record it, and see who watches. */
import {
  IconCamera,
  IconMaximize,
  IconPlayerPlay,
  IconPlayerRecord,
  IconPlayerStop,
  IconRefresh,
} from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Button, type ButtonProps } from '@/shared/controls/button'
import { Segment, Segments } from '@/shared/controls/segments'
import { useTranslation } from '@/shared/i18n/text'
import { StateMark } from '@/shared/marks/state-mark'
import { useCall, useSend } from '@/shared/rpc/hooks'
import { setPreference, usePreference } from '@/shared/theme/preferences'
import { Row, Text } from '@/shared/ui/layout'
import { QueryView } from '@/shared/ui/query-view'
import { CHOICES, type Choice, isChoice, type Way } from './play'
import { Remaining } from './remaining'
import type { Running } from './running'
import { saveSnapshot } from './snapshot'
import { type LiveState, useLive } from './use-live'
import styles from './video.module.css'

const CONNECTION = 'video-connection'

function useChoice(): Choice {
  const choice = usePreference<unknown>(CONNECTION, 'auto')
  return isChoice(choice) ? choice : 'auto'
}

interface Props {
  deviceSerialNumber: string
  /** Who opened it wants to see something. */
  autoStart?: boolean
  /** Beside other things: buttons without words, and no choice of the connection. */
  compact?: boolean
}

export function LiveView({ autoStart = false, compact = false, ...robot }: Props) {
  const { deviceSerialNumber } = robot
  const cameras = useCall('/qiniuQvs/cameraList', { deviceSerialNumber })
  return (
    <QueryView query={cameras}>
      {({ list }) => <Cameras key={deviceSerialNumber} {...robot} {...{ autoStart, compact }} names={list} />}
    </QueryView>
  )
}

function Cameras({ names, ...robot }: Required<Props> & { names: readonly string[] }) {
  const { t } = useTranslation('video')
  const [chosen, setChosen] = useState(names[0] ?? '')
  if (names.length === 0)
    return (
      <Text tone="soft" pad="l">
        {t('no-camera')}
      </Text>
    )
  return (
    <Row stack gap="m" pad="l">
      <Row wrap>
        <Segments label={t('camera')}>
          {names.map((name) => (
            <Segment key={name} on={name === chosen} onChoose={() => setChosen(name)}>
              <bdi dir="ltr">{name}</bdi>
            </Segment>
          ))}
        </Segments>
      </Row>
      <Camera key={chosen} {...robot} camera={chosen} />
    </Row>
  )
}

function Camera({ deviceSerialNumber, autoStart, compact, camera }: Required<Props> & { camera: string }) {
  const { t } = useTranslation('video')
  const { video, state, way, start, stop, renew, busy } = useLive(deviceSerialNumber, camera, t('start-live'))
  const choice = useChoice()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is opened
  useEffect(() => {
    if (autoStart) start(choice)
  }, [])
  const live = useCall('/qiniuQvs/liveList', { deviceSerialNumber })
  const running = live.data?.list.find((row) => row.camera === camera)
  const end = useSend('/qiniuQvs/stopStream', { action: t('stop-live') })
  const watched = state === 'playing' || state === 'waiting'
  const byRule = running?.recording === true && running.reason !== 'person' // goes on for as long as the rule says
  return (
    <>
      <div className={styles.frame}>
        {/* Robots send no sound. */}
        <video
          ref={video}
          className={styles.picture}
          data-hidden={running?.private}
          muted
          playsInline
          aria-label={`${t('common:live-video')}: ${camera}`}
        />
        <Instead state={state} running={running} problem={live.error?.message} />
      </div>
      <Row wrap gap="m" align="center">
        {watched ? (
          <>
            <Press
              word={t('stop-live')}
              bare={compact}
              icon={<IconPlayerStop size={15} />}
              onClick={() => {
                stop()
                end.mutate({ deviceSerialNumber })
              }}
            />
            <Press
              word={t('snapshot')}
              bare={compact}
              icon={<IconCamera size={15} />}
              disabled={state !== 'playing' || running?.private === true}
              onClick={() => video.current && saveSnapshot(video.current, `${deviceSerialNumber}-${camera}`)}
            />
            <Press
              word={t('full-screen')}
              bare={compact}
              icon={<IconMaximize size={15} />}
              onClick={() => void video.current?.requestFullscreen()}
            />
            {running && <RecordButton deviceSerialNumber={deviceSerialNumber} running={running} bare={compact} />}
          </>
        ) : (
          <Button type="primary" loading={busy} icon={<IconPlayerPlay size={15} />} onClick={() => start(choice)}>
            {t('start-live')}
          </Button>
        )}
        {running && (watched || !byRule) && (
          <>
            <Remaining key={live.dataUpdatedAt} seconds={running.remainingSec} at={live.dataUpdatedAt} />
            <Press word={t('renew')} bare={compact} icon={<IconRefresh size={15} />} loading={busy} onClick={renew} />
          </>
        )}
        {!compact && (
          <Row end>
            <Segments label={t('connection')}>
              {CHOICES.map((each) => (
                <Segment
                  key={each}
                  on={each === choice}
                  onChoose={() => {
                    setPreference(CONNECTION, each)
                    if (watched) start(each)
                  }}
                >
                  {t(`way-${each}`)}
                </Segment>
              ))}
            </Segments>
          </Row>
        )}
      </Row>
      <Watchers running={running} way={state === 'playing' ? way : undefined} />
    </>
  )
}

interface PressProps extends ButtonProps {
  word: string
  bare: boolean
}

/** A button that says what it does, or only shows it. */
const Press = ({ word, bare, ...rest }: PressProps) =>
  bare ? <Button size="small" aria-label={word} title={word} {...rest} /> : <Button {...rest}>{word}</Button>

/** What stands there while there is no picture: why. */
function Instead({
  state,
  running,
  problem,
}: {
  state: LiveState
  running: Running | undefined
  problem: string | undefined
}) {
  const { t } = useTranslation('video')
  const hidden = running?.private === true
  if (state === 'playing' && !hidden) return null
  const words = {
    stopped: t(running ? 'live-on' : 'live-off'),
    waiting: t('waiting'),
    playing: '',
    ended: problem ?? t(running ? 'line-broken' : 'live-over'),
  }
  return (
    <p className={styles.instead} role="status">
      {hidden && state !== 'stopped' ? t('no-picture-here') : words[state]}
    </p>
  )
}

interface RecordProps {
  deviceSerialNumber: string
  running: Running
  bare: boolean
}

function RecordButton({ deviceSerialNumber, running, bare }: RecordProps) {
  const { t } = useTranslation('video')
  const word = t(running.recording ? 'stop-recording' : 'record')
  const record = useSend('/qiniuQvs/record', { action: word })
  if (running.recording && running.reason !== 'person') return null
  return (
    <Press
      word={word}
      bare={bare}
      icon={<IconPlayerRecord size={15} />}
      aria-pressed={running.recording}
      loading={record.isPending}
      onClick={() => record.mutate({ deviceSerialNumber, camera: running.camera, on: !running.recording })}
    />
  )
}

function Watchers({ running, way }: { running: Running | undefined; way: Way | undefined }) {
  const { t } = useTranslation('video')
  if (!running) return null
  const names = [...new Set(running.watchers.map(({ name }) => name))]
  return (
    <Row as="p" wrap gap="m" align="center">
      {running.recording && !running.private && (
        <Row as="span" inline gap="s" align="center">
          <StateMark state="cleaning" size={13} />
          {t(`recording-by-${running.reason}`)}
        </Row>
      )}
      <Text as="span" tone="soft">
        {names.length > 0 ? t('watched-by', { names: names.join(' · ') }) : t('nobody-watches')}
      </Text>
      {way && (
        <Text as="span" tone="soft">
          {t('connected-by', { way: t(`way-${way}`) })}
        </Text>
      )}
    </Row>
  )
}
