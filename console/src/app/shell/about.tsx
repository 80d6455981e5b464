/** What this is, which build, and under which licence; and what is new in it. */
import { Button } from '@/shared/controls/button'
import { Dialog } from '@/shared/controls/dialog'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { VERSION } from '@/shared/session/session'
import { Fact, Facts } from '@/shared/ui/facts'
import { Row, Text } from '@/shared/ui/layout'

export function About({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('shell')
  const { date } = useFormats()
  const news = useCall('/wmCloudVersion/news', {}).data?.list ?? []
  return (
    <Dialog title={t('about')} onClose={onClose} footer={<Button onClick={onClose}>{t('common:close')}</Button>}>
      <Facts>
        <Fact name={t('common:version')} ltr>
          {VERSION}
        </Fact>
        <Fact name={t('licence')} ltr>
          Apache-2.0
        </Fact>
        <Fact name={t('this-server')} ltr>
          {location.host}
        </Fact>
      </Facts>
      {news.map(({ id, version, log, publishTime }) => (
        <Row key={id} as="section" stack gap="xs" above="m">
          <h3>{t('news-of', { version })}</h3>
          <Text size="small" tone="soft">
            {date(Date.parse(publishTime))}
          </Text>
          {log.split('\n').map((line, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text, which never change places
            <Text key={place} dir="auto">
              {line}
            </Text>
          ))}
        </Row>
      ))}
    </Dialog>
  )
}
