/** Writes .br and .gz beside every text file of the build, so that the server sends them as they are. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

export const OUT = '../src/lustra/console'
const SMALLEST = 1024 // bytes; below this the header costs more than it saves

for (const file of globSync(`${OUT}/**/*.{js,mjs,css,html,svg,json}`)) {
  const bytes = readFileSync(file)
  if (bytes.length < SMALLEST) continue
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
}
