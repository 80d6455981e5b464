/** A clip of the recording that plays: where it begins and ends is where the player stands; its link is for anybody. */
import { IconLink } from '@tabler/icons-react'
import { useState } from 'react'
import { Button } from '@/shared/controls/button'
import { Segment, Segments } from '@/shared/controls/segments'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { LIMITS } from '@/shared/rpc/limits'
import { Row, Text } from '@/shared/ui/layout'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { clock } from '@/widgets/video/remaining'
import { lengthOf, type Recording } from './rows'

const DAY = 24 // hours
const LONGEST_S = LIMITS['/qiniuQvs/clipAdd'].lengthS.maximum
const LIVES = [1, DAY, 7 * DAY, 30 * DAY] as const

/** `findPlace`: where the player stands, s. */
export function ClipForm({ recording, findPlace }: { recording: Recording; findPlace(): number }) {
  const { t } = useTranslation('video')
  const { unit } = useFormats()
  const length = lengthOf(recording)
  const [span, setSpan] = useState({ from: 0, to: Math.min(length, LONGEST_S) })
  const [hours, setHours] = useState<number>(DAY)
  const [url, setUrl] = useState('')
  const action = useAction('/qiniuQvs/clipAdd', t('clip-make'), ['lengthS'])
  const change = (values: Partial<typeof span>) => {
    action.reset()
    setUrl('')
    setSpan({ ...span, ...values })
  }
  const make = () =>
    void action.run({ id: recording.id, fromS: span.from, lengthS: span.to - span.from, hours }, (clip) =>
      setUrl(clip.url),
    )
  return (
    <Row stack gap="m" rule="above" pad="m xxs">
      <Row wrap gap="m" align="center">
        <Button onClick={() => change({ from: findPlace() })}>{t('clip-begin')}</Button>
        <Button onClick={() => change({ to: findPlace() })}>{t('clip-end')}</Button>
        <Text as="span">{t('clip-span', { from: clock(Math.round(span.from)), to: clock(Math.round(span.to)) })}</Text>
      </Row>
      <Row wrap gap="m" align="center">
        <Segments label={t('clip-valid')}>
          {LIVES.map((each) => (
            <Segment key={each} on={each === hours} onChoose={() => setHours(each)}>
              {each < DAY ? unit(each, 'hour', 0) : t('clip-days', { count: each / DAY })}
            </Segment>
          ))}
        </Segments>
        <Button icon={<IconLink size={15} />} loading={action.busy} onClick={make}>
          {t('clip-make')}
        </Button>
      </Row>
      {url && (
        <Text as="p" role="status">
          <a href={url} target="_blank" rel="noreferrer" dir="ltr">
            {url}
          </a>
        </Text>
      )}
      <Text size="small" tone="soft">
        {t('clip-how')}
      </Text>
      <Problem text={action.problem} />
    </Row>
  )
}
