/**
 * Saved views of a list: its filters and its order under a name, kept with the account's preferences under the list's name.
 * A view is an address, so whoever is sent the address sees the same.
 */
import { IconBookmark, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { setPreference, usePreference } from '@/shared/theme/preferences'
import { Drop } from './drop'
import styles from './list.module.css'

interface View {
  readonly name: string
  readonly query: string
}

const MOST = 50
const LONGEST = 60
const PASSING = ['page', 'saved'] // where somebody has got to, and which view it is, are no part of a view

/** The address without what is no part of a view, in one order: equal views are equal texts. */
function essence(query: URLSearchParams): string {
  const plain = new URLSearchParams(query)
  for (const key of PASSING) plain.delete(key)
  plain.sort()
  return plain.toString()
}

export function ViewMenu({ name }: { name: string }) {
  const { t } = useTranslation('shell')
  const [query, setQuery] = useSearchParams()
  const views = usePreference<readonly View[]>(`${name}Views`, [])
  const here = essence(query)
  const current = views.find((view) => essence(new URLSearchParams(view.query)) === here)
  const store = (next: readonly View[]) => setPreference(`${name}Views`, next.slice(-MOST))
  return (
    <Drop
      label={
        <>
          <IconBookmark size={16} stroke={1.75} aria-hidden="true" />
          {current ? <bdi>{current.name}</bdi> : t('views')}
        </>
      }
    >
      {(close) => (
        <>
          {views.length === 0 && <p>{t('no-views')}</p>}
          <ul>
            {views.map((view) => (
              <li key={view.name}>
                <button
                  type="button"
                  className={styles.view}
                  aria-current={view === current || undefined}
                  onClick={() => {
                    setQuery(new URLSearchParams(view.query))
                    close()
                  }}
                >
                  <bdi>{view.name}</bdi>
                </button>
                <button
                  type="button"
                  className={styles.view}
                  aria-label={t('delete-view', { name: view.name })}
                  onClick={() => store(views.filter((other) => other !== view))}
                >
                  <IconTrash size={15} stroke={1.75} aria-hidden="true" />
                </button>
              </li>
            ))}
          </ul>
          <Save
            onSave={(viewName) => {
              store([...views.filter((view) => view.name !== viewName), { name: viewName, query: here }])
              close()
            }}
          />
        </>
      )}
    </Drop>
  )
}

function Save({ onSave }: { onSave(name: string): void }) {
  const { t } = useTranslation('shell')
  const [name, setName] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') onSave(name.trim())
  }
  return (
    <form onSubmit={send}>
      <input
        value={name}
        maxLength={LONGEST}
        aria-label={t('view-name')}
        placeholder={t('view-name')}
        onChange={(event) => setName(event.target.value)}
      />
      <button type="submit" disabled={name.trim() === ''}>
        {t('common:save')}
      </button>
    </form>
  )
}
