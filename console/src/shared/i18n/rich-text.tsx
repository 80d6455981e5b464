/** A counted text with elements in it: `<n>12</n> robots`, where `n` names the element. */
import type { ReactElement } from 'react'
import { Trans } from 'react-i18next'
import type { Keys } from './keys'

interface Props<P extends keyof Keys> {
  readonly pack: P
  readonly name: Keys[P]
  readonly count: number
  readonly components: Readonly<Record<string, ReactElement>>
}

export function RichText<P extends keyof Keys>({ pack, name, count, components }: Props<P>) {
  return <Trans ns={pack} i18nKey={name} count={count} components={components} />
}
