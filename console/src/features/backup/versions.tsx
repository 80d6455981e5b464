/** Versions of a robot, by what they are of. */
import { Fragment } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { isKeyOf } from '@/shared/keys'
import { Text } from '@/shared/ui/layout'

/** What else a robot may say has its own name here. */
const NAMES = {
  software: 'backup:part-software',
  firmware: 'common:firmware',
  app: 'backup:part-app',
  protocol: 'backup:part-protocol',
} as const

interface Props {
  label: string
  versions: Readonly<Record<string, string>>
}

export function Versions({ label, versions }: Props) {
  const { t } = useTranslation('backup')
  const nameOf = (part: string) => (isKeyOf(NAMES, part) ? t(NAMES[part]) : part)
  const entries = Object.entries(versions).toSorted(([a], [b]) => a.localeCompare(b))
  if (entries.length === 0) return null
  return (
    <Text tone="quiet" size="small">
      {label}:{' '}
      {entries.map(([part, version], place) => (
        <Fragment key={part}>
          {place > 0 && ' · '}
          {nameOf(part)} <bdi dir="ltr">{version}</bdi>
        </Fragment>
      ))}
    </Text>
  )
}
