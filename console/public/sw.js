/**
 * What shows a pushed alarm while Lustra is closed, with its buttons. It keeps nothing and answers no page's requests.
 *
 * Rules: the message carries a number, a level and a ticket; the text is asked for with the ticket, and so is what a
 * button does. What cannot be asked for is shown all the same, as an alarm without words.
 */
const JSON_POST = { method: 'POST', headers: { 'content-type': 'application/json' }, credentials: 'omit' }
const CRITICAL = 4
const BASE = new URL(self.registration.scope).pathname.replace(/\/$/, '') // where the console lies below its host
const WORDLESS = { title: 'Lustra', text: '⚠', path: '/index/realWarn', acts: false }

async function ask(path, payload) {
  const answer = await fetch(`${BASE}/api/webPush/${path}`, { ...JSON_POST, body: JSON.stringify(payload) })
  const { message, data } = await answer.json()
  if (message.code !== 0) throw new Error(String(message.code))
  return data
}

async function show({ id, level, ticket }) {
  const { title, text, path, acts, take, snooze } = await ask('read', { ticket }).catch(() => WORDLESS)
  const actions = acts
    ? [
        { action: 'take', title: take },
        { action: 'snooze', title: snooze },
      ]
    : []
  await self.registration.showNotification(title, {
    body: text,
    tag: String(id),
    icon: `${BASE}/favicon.svg`,
    requireInteraction: level >= CRITICAL,
    data: { path, ticket },
    actions,
  })
}

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('push', (event) => event.waitUntil(show(event.data.json())))
self.addEventListener('notificationclick', (event) => {
  const { path, ticket } = event.notification.data
  const open = () => self.clients.openWindow(BASE + path)
  event.notification.close()
  // what a button could not do is done in the page
  event.waitUntil(event.action ? ask('act', { ticket, action: event.action }).catch(open) : open())
})
