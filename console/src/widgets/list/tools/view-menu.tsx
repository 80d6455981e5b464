/**
 * Saved views of a list: its filters and its order under a name, kept with the account's preferences under the list's name.
 * A view is an address, so whoever is sent the address sees the same.
 */
import { IconBookmark, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '@/shared/controls/button'
import { Input } from '@/shared/controls/input'
import { Popover } from '@/shared/controls/popover'
import { useTranslation } from '@/shared/i18n/text'
import { setPreference, usePreference } from '@/shared/theme/preferences'
import styles from '../list.module.css'

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

interface Props {
  /** Under which the views are kept. */
  name: string
  size?: 'small'
}

export function ViewMenu({ name, size }: Props) {
  const { t } = useTranslation('shell')
  const [query, setQuery] = useSearchParams()
  const views = usePreference<readonly View[]>(`${name}Views`, [])
  const here = essence(query)
  const current = views.find((view) => essence(new URLSearchParams(view.query)) === here)
  const store = (next: readonly View[]) => setPreference(`${name}Views`, next.slice(-MOST))
  const show = (view: View) => {
    const next = new URLSearchParams(view.query)
    next.set('saved', view.name)
    setQuery(next)
  }
  return (
    <Popover
      {...(size && { size })}
      place="below-end"
      icon={<IconBookmark size={16} stroke={1.75} />}
      content={(close) => (
        <div className={styles.sheet}>
          {views.length === 0 && <p>{t('no-views')}</p>}
          <ul>
            {views.map((view) => (
              <li key={view.name}>
                <Button
                  size="small"
                  type={view === current ? 'primary' : 'text'}
                  onClick={() => {
                    show(view)
                    close()
                  }}
                >
                  <bdi>{view.name}</bdi>
                </Button>
                <Button
                  size="small"
                  type="text"
                  icon={<IconTrash size={15} stroke={1.75} />}
                  aria-label={t('delete-view', { name: view.name })}
                  onClick={() => store(views.filter((other) => other !== view))}
                />
              </li>
            ))}
          </ul>
          <Save
            onSave={(viewName) => {
              const view = { name: viewName, query: here }
              store([...views.filter((other) => other.name !== viewName), view])
              show(view)
              close()
            }}
          />
        </div>
      )}
    >
      {current ? <bdi>{current.name}</bdi> : t('views')}
    </Popover>
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
      <Input
        size="small"
        value={name}
        maxLength={LONGEST}
        aria-label={t('view-name')}
        placeholder={t('view-name')}
        onChange={(event) => setName(event.target.value)}
      />
      <Button size="small" htmlType="submit" disabled={name.trim() === ''}>
        {t('common:save')}
      </Button>
    </form>
  )
}
