/** Build of the console: into the Python package, so that one wheel carries both; chunks follow the first-load budgets. */
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunks } from './scripts/chunks.ts'
import { rem } from './scripts/rem.ts'

const folder = fileURLToPath(new URL('./src/', import.meta.url))
const server = process.env.LUSTRA_SERVER ?? 'http://127.0.0.1:8080'

const PAGES_OF_COMMON = 3 // what so many pages share comes in one file

export default defineConfig({
  base: './', // the server names the path below which all lies; files name each other beside themselves
  plugins: [rem(folder), react()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: { host: '127.0.0.1', proxy: { '/api': { target: server, ws: true } } },
  build: {
    outDir: '../src/lustra/console',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    modulePreload: { polyfill: false }, // every browser of that year has it, or does without
    assetsInlineLimit: 1024,
    chunkSizeWarningLimit: 1100, // the map of the world; what a page loads first has its gate in scripts/budget.ts
    rolldownOptions: {
      checks: { ineffectiveDynamicImport: false }, // also names what is imported at once by a part that comes later itself
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false, // the groups hold all of their own
          groups: [
            { name: chunks(fileURLToPath(new URL('./', import.meta.url))), debugName: 'first loads' },
            { name: 'antd', test: /node_modules.(antd|@ant-design|@rc-component)./, minShareCount: PAGES_OF_COMMON },
            { name: 'common', test: /console.src.(shared|widgets|canvas)./, minShareCount: PAGES_OF_COMMON },
            { name: 'icons', test: /@tabler.icons-react/, minShareCount: 2 },
          ],
        },
      },
    },
  },
})
