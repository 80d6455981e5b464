/** Random codes for people to read: no 0 O 1 l I, from the crypto generator without bias. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

export function randomCode(length = 8): string {
  const limit = 256 - (256 % ALPHABET.length)
  let code = ''
  while (code.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length)))
      if (byte < limit && code.length < length) code += ALPHABET[byte % ALPHABET.length]
  }
  return code
}
