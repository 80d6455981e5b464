/** A recording, with the browser's own controls for place and sound, and its speed. */
import { useRef, useState } from 'react'
import { Segment, Segments } from '@/shared/controls/segments'
import { useTranslation } from '@/shared/i18n/text'
import { Row } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Problem } from '@/widgets/form/field'
import styles from '@/widgets/video/video.module.css'
import { ClipForm } from './clip-form'
import type { Recording } from './rows'

const SPEEDS = [0.5, 1, 2, 4] as const

export function PlayDialog({ recording, onClose }: { recording: Recording; onClose(): void }) {
  const { t } = useTranslation('video')
  const video = useRef<HTMLVideoElement>(null)
  const [speed, setSpeed] = useState(1)
  const [broken, setBroken] = useState(false)
  const choose = (next: number) => {
    setSpeed(next)
    if (video.current) video.current.playbackRate = next
  }
  return (
    <Modal open width={760} title={recording.name} footer={null} onCancel={onClose}>
      <Row stack gap="m">
        <video
          ref={video}
          className={styles.picture}
          src={recording.url}
          controls
          autoPlay
          muted
          aria-label={recording.name}
          onError={() => setBroken(true)}
        />
        <Row wrap>
          <Segments label={t('speed')}>
            {SPEEDS.map((each) => (
              <Segment key={each} on={each === speed} onChoose={() => choose(each)}>
                {`${each} ×`}
              </Segment>
            ))}
          </Segments>
        </Row>
        <ClipForm recording={recording} findPlace={() => video.current?.currentTime ?? 0} />
        <Problem text={broken ? t('not-played') : undefined} />
      </Row>
    </Modal>
  )
}
