/** Saved views: the filters under a name, kept with the account's preferences; the chosen one stands in the URL. */
import { IconBookmark, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/controls/button'
import { Input } from '@/shared/controls/input'
import { Popover } from '@/shared/controls/popover'
import { setPreference, usePreference } from '@/shared/theme/preferences'
import { type Filters, readFilters, writeFilters } from './filters'
import styles from './toolbar.module.css'

interface View {
  readonly name: string
  readonly query: string
}

const VIEWS = 'deviceViews'
const MOST = 50
const LONGEST = 60

interface Props {
  filters: Filters
  onChange(filters: Filters): void
}

export function Views({ filters, onChange }: Props) {
  const { t } = useTranslation('device')
  const views = usePreference<readonly View[]>(VIEWS, [])
  const here = writeFilters({ ...filters, saved: undefined }).toString()
  const on = views.find(({ name, query }) => name === filters.saved && query === here)
  const choose = ({ name, query }: View) => {
    onChange({ ...readFilters(new URLSearchParams(query)), saved: name })
  }
  const save = (name: string) => {
    const others = views.filter((view) => view.name !== name)
    setPreference(VIEWS, [...others, { name, query: here }].slice(-MOST))
    onChange({ ...filters, saved: name })
  }
  return (
    <Popover
      size="small"
      icon={<IconBookmark size={15} stroke={1.75} />}
      content={(close) => (
        <div className={styles.views}>
          {views.length === 0 && <p>{t('shell:no-views')}</p>}
          <ul>
            {views.map((view) => (
              <li key={view.name}>
                <Button
                  type={view === on ? 'primary' : 'text'}
                  size="small"
                  onClick={() => {
                    choose(view)
                    close()
                  }}
                >
                  <bdi>{view.name}</bdi>
                </Button>
                <Button
                  type="text"
                  size="small"
                  icon={<IconTrash size={15} stroke={1.75} />}
                  aria-label={t('shell:delete-view', { name: view.name })}
                  onClick={() =>
                    setPreference(
                      VIEWS,
                      views.filter((other) => other !== view),
                    )
                  }
                />
              </li>
            ))}
          </ul>
          <Save
            onSave={(name) => {
              save(name)
              close()
            }}
          />
        </div>
      )}
    >
      {on ? <bdi>{on.name}</bdi> : t('shell:views')}
    </Popover>
  )
}

function Save({ onSave }: { onSave(name: string): void }) {
  const { t } = useTranslation('device')
  const [name, setName] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return
    onSave(name.trim())
    setName('')
  }
  return (
    <form onSubmit={send}>
      <Input
        size="small"
        value={name}
        maxLength={LONGEST}
        aria-label={t('shell:view-name')}
        placeholder={t('shell:view-name')}
        onChange={(event) => setName(event.target.value)}
      />
      <Button size="small" htmlType="submit" disabled={name.trim() === ''}>
        {t('save')}
      </Button>
    </form>
  )
}
