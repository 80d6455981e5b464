/** A wall's session: the key that stands in its address. It is kept nowhere else, so that it ends with the page. */
import { BASE } from '@/shared/base'
import { beginWall } from '@/shared/session/session'

export const KEY = 'bigScreen'
const PATH = '/bigScreen'
const PREFIX = '#lustra_' // as keys of the server begin

/** The part after # is sent to no server and stands in no log. */
export const addressOf = (secret: string) => `${location.origin}${BASE}${PATH}#${secret}`

/** Begins the session of an address that has a key; else nothing. */
export function enterByAddress({ hash }: { hash: string }) {
  if (hash.startsWith(PREFIX)) beginWall(hash.slice(1), KEY)
}
