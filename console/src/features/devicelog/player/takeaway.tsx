/** What leaves the console of a recording: a part of it as a file, or all of it to the operator's Lichtblick. */
import { IconCut, IconExternalLink } from '@tabler/icons-react'
import { useState } from 'react'
import { Button } from '@/shared/controls/button'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { Row } from '@/shared/ui/layout'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { CutDialog } from './cut-dialog'

const S_MS = 1000

interface Props {
  recording: Answer<'/deviceLog/openRecording'>
  /** s */
  length: number
  second: number
}

export function Takeaway({ recording, length, second }: Props) {
  const { t } = useTranslation('devicelog')
  const [cutting, setCutting] = useState(false)
  const view = useAction('/deviceLog/viewerUrl', t('open-in-lichtblick'))
  const open = () =>
    void view.run({ id: recording.id }, (url) => {
      const time = new Date(Date.parse(recording.start) + second * S_MS).toISOString()
      window.open(`${url}&time=${encodeURIComponent(time)}`, '_blank', 'noopener')
    })
  return (
    <>
      <Row gap="s" wrap>
        <Button icon={<IconCut size={17} />} onClick={() => setCutting(true)}>
          {t('cut')}
        </Button>
        {recording.viewer && (
          <Button icon={<IconExternalLink size={17} />} loading={view.busy} onClick={open}>
            {t('open-in-lichtblick')}
          </Button>
        )}
      </Row>
      <Problem text={view.problem} />
      {cutting && <CutDialog {...{ recording, length, second }} onClose={() => setCutting(false)} />}
    </>
  )
}
