/** Plays a recording: values of its topics over time, and what a message said at a second. All of it stands in the address. */
import { Select } from 'antd'
import { useEffect, useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { call } from '@/shared/rpc/call'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { Problem } from '@/widgets/form/field'
import { type Clock, useClock } from '@/widgets/replay/clock'
import { keyOf, usePlayerAddress, type Value } from './address'
import { Camera } from './camera'
import { pictureTopics } from './messages/pictures'
import styles from './player.module.css'
import { PlayerLink } from './player-link'
import { Plot } from './plot'
import type { Source } from './protocol'
import { hasLine, RecordingFloor } from './recording-floor'
import { Takeaway } from './takeaway'
import { useReading } from './use-reading'

type Recording = Answer<'/deviceLog/openRecording'>

const S_MS = 1000
const STEP_S = 0.1
/** While it plays, messages are looked up so often a second. */
const LOOKS_EACH_S = 5

const sourceOf = ({ url, start, end }: Recording): Source => ({ url, start: Date.parse(start), end: Date.parse(end) })

export function Player({ recording }: { recording: Recording }) {
  const { id, start, end, topics } = recording
  const [link, setLink] = useState<PlayerLink>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newer address of the same recording opens no other worker
  useEffect(() => {
    const opened = new PlayerLink(sourceOf(recording), async () =>
      sourceOf(await call('/deviceLog/openRecording', { id })),
    )
    setLink(opened)
    return () => opened.end()
  }, [id])
  const history = useCall('/deviceLog/replayRecording', { id }, { staleTime: Number.POSITIVE_INFINITY })
  const readable = topics.filter((topic) => topic.readable).map(({ name }) => name)
  const cameras = pictureTopics(topics)
  const { second: begin, values, setSecond, setValues } = usePlayerAddress()
  const [chosen, setTopic] = useState(values[0]?.topic)
  const topic = chosen ?? readable[0]
  const length = Math.max((Date.parse(end) - Date.parse(start)) / S_MS, STEP_S)
  const clock = useClock(length * S_MS, { at: Math.min(begin, length) * S_MS, speed: 1 })
  const second = secondOf(clock)
  const moveTo = (at: number) => clock.moveTo(at * S_MS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address follows the clock once that stands
  useEffect(() => {
    if (!clock.playing && second !== begin) setSecond(second)
  }, [clock.playing, second])
  if (!link || topic === undefined || history.isPending) return null
  return (
    <Row stack gap="m">
      {!hasLine(history.data) && (
        <Second length={length} second={Math.min(second, length)} start={Date.parse(start)} onChange={moveTo} />
      )}
      <RecordingFloor {...{ link, recording, clock, second }} history={history.data} />
      {cameras.length > 0 && <Camera {...{ link, id, second }} topics={cameras} />}
      <Choice link={link} id={id} topics={readable} {...{ topic, values }} onTopic={setTopic} onValues={setValues} />
      {values.map((value) => (
        <Line key={keyOf(value)} {...{ link, id, value, length, second }} onSecond={moveTo} />
      ))}
      <Takeaway {...{ recording, length, second }} />
      <Message link={link} id={id} topic={topic} second={second} />
    </Row>
  )
}

/** In steps: of each of them a message is looked up. */
function secondOf({ at, playing, speed }: Clock): number {
  const step = playing ? Math.max(speed / LOOKS_EACH_S, STEP_S) : STEP_S
  return Math.round(at / S_MS / step) * step
}

interface Reader {
  link: PlayerLink
  id: number
}

interface SecondProps {
  length: number
  second: number
  start: number
  onChange(second: number): void
}

function Second({ length, second, start, onChange }: SecondProps) {
  const { t } = useTranslation('devicelog')
  const { exact, number, unit } = useFormats()
  return (
    <Row stack gap="s">
      <input
        className={styles.second}
        type="range"
        dir="ltr"
        min={0}
        max={length}
        step={STEP_S}
        value={second}
        aria-label={t('second')}
        aria-valuetext={unit(second, 'second', 1)}
        onChange={({ target }) => onChange(Number(target.value))}
      />
      <Text tone="soft" size="small">
        {exact(start + second * S_MS)} · {number(second, 1)} / {unit(length, 'second', 1)}
      </Text>
    </Row>
  )
}

interface ChoiceProps extends Reader {
  topics: readonly string[]
  topic: string
  values: readonly Value[]
  onTopic(topic: string): void
  onValues(values: readonly Value[]): void
}

/** The values of one topic are chosen; those of others stay. */
function Choice({ link, id, topics, topic, values, onTopic, onValues }: ChoiceProps) {
  const { t } = useTranslation('devicelog')
  const fields = useReading(link, id, 'fields', { topic })
  const own = values.filter((value) => value.topic === topic)
  const choose = (paths: readonly string[]) =>
    onValues([...values.filter((value) => value.topic !== topic), ...paths.map((path) => ({ topic, path }))])
  return (
    <>
      <Row gap="m" wrap>
        <Select
          className={styles.topic ?? ''}
          showSearch
          aria-label={t('topic')}
          value={topic}
          options={topics.map((value) => ({ value, label: <bdi dir="ltr">{value}</bdi> }))}
          onChange={onTopic}
        />
        <Select
          className={styles.values ?? ''}
          mode="multiple"
          aria-label={t('values')}
          placeholder={t('choose-values')}
          loading={fields.isPending}
          value={own.map(({ path }) => path)}
          options={(fields.data ?? []).map((value) => ({ value, label: <bdi dir="ltr">{value}</bdi> }))}
          onChange={choose}
        />
      </Row>
      <Problem text={fields.isError ? t('messages-unreadable') : undefined} />
    </>
  )
}

interface LineProps extends Reader {
  value: Value
  length: number
  second: number
  onSecond(second: number): void
}

function Line({ link, id, value, ...rest }: LineProps) {
  const { t } = useTranslation('devicelog')
  const series = useReading(link, id, 'series', value)
  if (series.isError) return <Problem text={t('messages-unreadable')} />
  return series.data ? <Plot name={`${value.topic} ${value.path}`} series={series.data} {...rest} /> : null
}

function Message({ link, id, topic, second }: Reader & { topic: string; second: number }) {
  const { t } = useTranslation('devicelog')
  const message = useReading(link, id, 'message', { topic, second })
  if (message.isError || message.data === undefined) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className={styles.message} dir="ltr" tabIndex={0} aria-label={t('message-then')}>
      {message.data ?? t('no-message-yet')}
    </section>
  )
}
