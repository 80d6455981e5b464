/** Runs what was picked by name; a name that nothing stands behind is refused in words. */
import { translate } from '../i18n/text'
import { notice } from './notice'

export function runAction(actions: Readonly<Record<string, () => void>>, name: string) {
  const run = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (run) run()
  else notice('error', translate('shell:invalid-operation'))
}
