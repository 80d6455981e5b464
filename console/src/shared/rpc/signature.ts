/**
 * The `signature` header: AES-CBC of the unix time in ms plus 20,000, base64 of iv and cipher text. A freshness value, never
 * a protection (a key inside a browser is no secret); sent only where a build carries a key.
 */
const AHEAD_MS = 20_000
const key: string | undefined = import.meta.env.VITE_SIGNATURE_KEY

const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

export async function sign(keyHex: string, now: number): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(16))
  const secret = await crypto.subtle.importKey('raw', bytesOf(keyHex), 'AES-CBC', false, ['encrypt'])
  const text = new TextEncoder().encode(String(now + AHEAD_MS))
  const cipher = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, secret, text))
  return btoa(String.fromCharCode(...iv, ...cipher))
}

export const signature = async (): Promise<string | undefined> => (key ? sign(key, Date.now()) : undefined)
