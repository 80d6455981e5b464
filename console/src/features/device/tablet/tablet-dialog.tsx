/** What the robot's own tablet shows now: a copy, drawn from what the robot says of it each second. */

import { LANGUAGES } from '@/shared/i18n/languages'
import { useTranslation } from '@/shared/i18n/text'
import { isKeyOf } from '@/shared/keys'
import { relayCall } from '@/shared/relay/relay'
import { useRobotAnswer } from '@/shared/relay/use-robot-answer'
import { Fact, Facts } from '@/shared/ui/facts'
import { Row } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { QueryView } from '@/shared/ui/query-view'
import { CONTENT_WORDS, Copy } from './copy'

const EVERY_MS = 1000
const WIDTH = 760 // px

interface Props {
  deviceId: number
  name: string
  onClose(): void
}

export function TabletDialog({ deviceId, name, onClose }: Props) {
  const { t } = useTranslation('tablet')
  const tablet = useRobotAnswer(deviceId, {
    key: ['tablet_screen'],
    read: (signal) => relayCall(deviceId, 'tablet_screen', {}, signal),
    everyMs: EVERY_MS,
  })
  return (
    <Modal open title={`${t('fleet:tablet-screen')} · ${name}`} footer={null} width={WIDTH} onCancel={onClose}>
      <QueryView query={tablet}>
        {(screen) => (
          <Row stack gap="m">
            <Copy deviceId={deviceId} screen={screen} />
            <Facts>
              <Fact name={t('on-screen')}>{t(CONTENT_WORDS[screen.shows])}</Fact>
              <Fact name={t('look')}>{t(screen.revision ? 'of-dealer' : 'as-it-comes')}</Fact>
              {isKeyOf(LANGUAGES, screen.language) && (
                <Fact name={t('own-language')}>{LANGUAGES[screen.language].name}</Fact>
              )}
            </Facts>
          </Row>
        )}
      </QueryView>
    </Modal>
  )
}
