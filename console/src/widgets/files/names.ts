/** Names of uploaded files, by the server's rule. */
const NAME = /^(?!\.)[\p{L}\p{N}\p{M}_.-]{1,100}$/u

/** No spaces or special characters, no dot at the beginning. */
export const isFileName = (name: string) => NAME.test(name)

/** What a file may be called that has another name on the person's disk. */
export const toFileName = (name: string) =>
  name
    .normalize('NFC')
    .trim()
    .replace(/[^\p{L}\p{N}\p{M}_.-]+/gu, '_')
    .replace(/^[._]+/, '')
    .slice(-100)

export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
