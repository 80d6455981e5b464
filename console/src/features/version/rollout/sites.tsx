/** What a roll-out costs the line of each building: the largest, and how many more there are. */
import { useState } from 'react'
import { Button } from '@/shared/controls/button'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { Row, Text } from '@/shared/ui/layout'

const FIRST = 4

export function Sites({ sites }: { sites: Answer<'/version/previewRollout'>['sites'] }) {
  const { t } = useTranslation('rollout')
  const { bytes } = useFormats()
  const [all, setAll] = useState(false)
  const listed = all ? sites : sites.slice(0, FIRST)
  return (
    <Row wrap gap="m" align="center">
      {listed.map(({ address, robots, size }) => (
        <Text key={address} as="span" size="small" tone="soft">
          <bdi>{address || t('no-building')}</bdi>: {t('site-load', { count: robots, size: bytes(size) })}
        </Text>
      ))}
      {listed.length < sites.length && (
        <Button type="text" size="small" onClick={() => setAll(true)}>
          {t('other-sites', { count: sites.length - listed.length })}
        </Button>
      )}
    </Row>
  )
}
