/** What a robot shall say: played here first, by the server's voice, or said by the robot's own. */
import { Button, Input, Select, Slider } from 'antd'
import { useCallback, useEffect, useRef, useState } from 'react'
import { currentLanguage } from '@/shared/i18n/i18n'
import { LANGUAGES, type Language } from '@/shared/i18n/languages'
import { useTranslation } from '@/shared/i18n/text'
import { command } from '@/shared/relay/life'
import { COMMAND_LIMITS } from '@/shared/relay/limits'
import { rawForm } from '@/shared/rpc/call'
import { Modal } from '@/shared/ui/modal'
import { Field, Problem } from '../form/field'
import { useAttempt } from '../form/use-attempt'

const LONGEST = COMMAND_LIMITS.robot_speak.text.maxLength
const LOUDEST = COMMAND_LIMITS.robot_speak.volume.maximum
const USUAL = 5
const CHOICES = Object.entries(LANGUAGES).map(([value, { name }]) => ({ value, label: name }))

interface Props {
  deviceId: number
  /** Left out where the page is the robot's own. */
  name?: string
  /** Why it cannot speak now; '' when it can. */
  blocked: string
  onClose(): void
}

export function SpeakDialog({ deviceId, name, blocked, onClose }: Props) {
  const { t } = useTranslation('robot')
  const [text, setText] = useState('')
  const [language, setLanguage] = useState<Language>(currentLanguage)
  const [volume, setVolume] = useState(USUAL)
  const [outcome, setOutcome] = useState('')
  const listening = useAttempt(['content'])
  const speaking = useAttempt(['text'])
  const play = usePlayer()
  const empty = text.trim() === ''
  const again = () => {
    setOutcome('')
    listening.reset()
    speaking.reset()
  }
  const listen = () => {
    again()
    void listening.run(
      () => rawForm('/tencent/ttsUrl', { content: text, language }),
      async (sound) => setOutcome((await play(sound, volume / LOUDEST)) ? '' : t('speak-blocked')),
    )
  }
  const speak = () => {
    again()
    const payload = { text, language, volume }
    void speaking.run(
      () => command(deviceId, { command: 'robot_speak', payload, label: t('speak') }),
      ({ spoken }) => setOutcome(t(spoken ? 'speak-spoken' : 'speak-shown')),
    )
  }
  return (
    <Modal
      open
      title={name ? `${t('speak')} · ${name}` : t('speak')}
      onCancel={onClose}
      onLeave={outcome ? onClose : undefined}
      footer={
        <>
          <Button disabled={empty} loading={listening.busy} onClick={listen}>
            {t('speak-listen')}
          </Button>
          <Button
            type="primary"
            disabled={empty || blocked !== ''}
            title={blocked}
            loading={speaking.busy}
            onClick={speak}
          >
            {t('speak-on-robot')}
          </Button>
        </>
      }
    >
      <Field
        label={t('speak-text')}
        hint={t('speak-text-how', { most: LONGEST })}
        fault={listening.problemAt('content') ?? speaking.problemAt('text')}
      >
        <Input.TextArea
          value={text}
          rows={3}
          maxLength={LONGEST}
          dir="auto"
          lang={language}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      <Field label={t('common:language')}>
        <Select value={language} options={CHOICES} onChange={setLanguage} />
      </Field>
      <Field label={t('utility-volume')}>
        <Slider min={1} max={LOUDEST} value={volume} ariaLabelForHandle={t('utility-volume')} onChange={setVolume} />
      </Field>
      {outcome && <p role="status">{outcome}</p>}
      <Problem text={listening.problem ?? speaking.problem} />
    </Modal>
  )
}

/** Plays one sound at a time, none once the dialog is gone. False: the browser would not. */
function usePlayer() {
  const now = useRef<HTMLAudioElement>(undefined)
  const stop = useCallback(() => {
    if (!now.current) return
    now.current.pause()
    URL.revokeObjectURL(now.current.src)
    now.current = undefined
  }, [])
  useEffect(() => stop, [stop])
  return async (sound: Blob, volume: number): Promise<boolean> => {
    stop()
    const audio = new Audio(URL.createObjectURL(sound))
    audio.volume = volume
    now.current = audio
    try {
      await audio.play()
      return true
    } catch {
      return now.current !== audio // another took its place, or nobody listens any more
    }
  }
}
