import { afterEach, expect, test, vi } from 'vitest'
import { startTexts } from '../i18n/i18n'
import { onNotice } from './notice'
import { runAction } from './run-action'

afterEach(() => vi.restoreAllMocks())

test('[rule.menu.bad_action, err.text.invalid_operation] an action of a menu that does not exist is refused in words', async () => {
  // biome-ignore lint/suspicious/noDocumentCookie: the language is read from it
  document.cookie = 'language=en'
  await startTexts(['shell'])
  const texts: string[] = []
  const stop = onNotice(({ text }) => void texts.push(text))
  const refresh = vi.fn()
  runAction({ refresh }, 'refresh')
  expect(refresh).toHaveBeenCalledOnce()
  expect(texts).toEqual([])
  runAction({ refresh }, 'xyz')
  runAction({ refresh }, 'toString')
  expect(texts).toEqual(['Invalid operation'])
  stop()
})
