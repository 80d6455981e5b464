/** The Chromium that benches drive: the headless shell, which starts sooner, unless figures of the whole browser are asked for. */
import { existsSync } from 'node:fs'

const SHELL = '/usr/bin/chromium-headless-shell'

export const chromiumPath = ({ whole = false } = {}) =>
  process.env.CHROMIUM ?? (!whole && existsSync(SHELL) ? SHELL : '/usr/bin/chromium')
