/** This browser as one that alarms are pushed to. */
import { BASE } from '@/shared/base'
import { nameBrowser } from './browser-name'

const WORKER = '/sw.js'

export const fits = () => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

export interface Subscription {
  readonly endpoint: string
  readonly public: string
  readonly auth: string
  readonly label: string
}

/** Undefined where its person does not let it. */
export async function subscribe(key: string): Promise<Subscription | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  const worker = await navigator.serviceWorker.register(BASE + WORKER)
  await navigator.serviceWorker.ready
  const before = await worker.pushManager.getSubscription()
  if (before) await before.unsubscribe() // it may be of another key, or account
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const { endpoint = '', keys = {} } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys
  return { endpoint, public: p256dh, auth, label: nameBrowser(navigator.userAgent) }
}
