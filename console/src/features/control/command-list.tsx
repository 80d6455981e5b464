/**
 * The newest three commands of this tab, each with how far it came and how long that took; of all that, a
 * screen reader says the newest change alone.
 */

import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { type Sent, useCommands } from '@/shared/relay/life'
import { Panel } from '@/shared/ui/panel'
import { useRefusalText } from '@/widgets/refusal-text'
import styles from './commands.module.css'

const LISTED = 3
const DONE = { sent: 1, retrying: 1, accepted: 2, confirmed: 3, unseen: 2, refused: 1 } as const
const WORD = {
  sent: 'command-sent',
  retrying: 'command-retrying',
  accepted: 'command-accepted',
  confirmed: 'command-confirmed',
  refused: 'shell:stage-refused',
  unseen: 'shell:stage-unseen',
} as const satisfies Record<Sent['stage'], string>

export function CommandList({ deviceId }: { deviceId: number }) {
  const { t } = useTranslation('control')
  const formats = useFormats()
  const why = useRefusalText()
  const commands = useCommands(deviceId).slice(0, LISTED)
  if (commands.length === 0) return null
  const stageOf = ({ stage, refusal }: Sent) => {
    const text = refusal && why(refusal)
    if (stage === 'retrying') return t(WORD[stage], { why: text ?? '' })
    return text ?? t(WORD[refusal ? 'refused' : stage])
  }
  return (
    <Panel title={t('commands')} extra={t('last-commands', { count: commands.length })}>
      <span className="unseen" role="status">
        {commands[0] && `${commands[0].label}: ${stageOf(commands[0])}`}
      </span>
      <ul className={styles.commands}>
        {commands.map((sent) => (
          <li key={sent.id} data-stage={sent.stage}>
            <span>{sent.label}</span>
            <span className={styles.when}>{formats.time(sent.at)}</span>
            <span className={styles.steps}>
              {[1, 2, 3].map((step) => (
                <i key={step} data-on={step <= DONE[sent.stage] || undefined} aria-hidden="true" />
              ))}
              {stageOf(sent)}
            </span>
            {sent.ms > 0 && <span className={styles.when}>{formats.unit(sent.ms / 1000, 'second', 2)}</span>}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
