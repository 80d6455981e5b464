import type { Keys } from '@/shared/i18n/keys'
import { keysOf } from '@/shared/keys'

/** The seven channels of a code or event, and their words. */
export const CHANNELS = {
  ...{
    app: 'channel-app',
    cloud: 'channel-cloud',
    email: 'channel-email',
    officialAccount: 'channel-official-account',
  },
  ...{ sms: 'channel-sms', terminal: 'channel-terminal', offSitePush: 'channel-off-site-push' },
} as const satisfies Record<string, Keys['common']>

export type Channel = keyof typeof CHANNELS
export const CHANNEL_NAMES = keysOf(CHANNELS)
