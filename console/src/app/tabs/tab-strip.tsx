/** The strip of open pages: links, each with its close button; drag or the menu reorders, the menu closes many. What is
 * not saved is marked, and asked about before its tab closes. */

import { IconChevronDown, IconDots, IconRefresh, IconX } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { MenuButton, type MenuEntry, useContextMenu } from '@/shared/controls/menu'
import { currentLanguage } from '@/shared/i18n/i18n'
import type { Keys } from '@/shared/i18n/keys'
import { LANGUAGES } from '@/shared/i18n/languages'
import { useTranslation } from '@/shared/i18n/text'
import { throttle } from '@/shared/throttle'
import { runAction } from '@/shared/ui/run-action'
import { useUnsaved } from '@/shared/ui/unsaved'
import { useCurrentPage } from '../shell/current-page'
import { close, INDEX_TAB, move, named, neighbour, open, type Scope, type Tab, titleOf } from './rules'
import styles from './tab-strip.module.css'
import { changeTabs, refreshPage, useTabs, useViews } from './tabs'
import { UnsavedDialog } from './unsaved-dialog'

const WHEEL_MS = 300
const PART_SEEN = 0.7

export function TabStrip() {
  const { t } = useTranslation('shell')
  const tabs = useTabs()
  const { key, href, page, subject } = useCurrentPage()
  const act = useTabActions(key)
  const [dragged, setDragged] = useState<string>()
  const list = useRef<HTMLElement>(null)
  useWheel(list)
  const crowded = useCrowded(list, tabs.length)
  const navigate = useNavigate()
  const title = (tab: Tab) => titleOf(tab, tabs, t(`common:${tab.title}`))
  useVisited(key, href, page?.title, subject)

  /** The dragged tab takes the place of the one it is over, at once. */
  const over = (place: number) => {
    if (dragged !== undefined) changeTabs((all) => move(all, dragged, place))
  }
  return (
    <div className={styles.strip}>
      <nav ref={list} aria-label={t('open-pages')} className={styles.tabs}>
        <ul>
          {tabs.map((tab, place) => (
            <TabLink
              key={tab.key}
              tab={tab}
              title={title(tab)}
              current={tab.key === key}
              act={act}
              drag={{ held: tab.key === dragged, over: () => over(place), take: setDragged }}
            />
          ))}
        </ul>
      </nav>
      {crowded && (
        <MenuButton
          className={styles.button}
          aria-label={t('all-tabs')}
          title={t('all-tabs')}
          entries={() => tabs.map((tab) => ({ key: tab.key, label: title(tab), on: tab.key === key }))}
          onPick={(chosen) => {
            const tab = tabs.find((other) => other.key === chosen)
            if (tab) void navigate(tab.href)
          }}
        >
          <IconChevronDown size={16} stroke={1.75} aria-hidden="true" />
        </MenuButton>
      )}
      <button
        type="button"
        className={styles.button}
        aria-label={t('common:refresh')}
        title={t('common:refresh')}
        onClick={() => refreshPage(key)}
      >
        <IconRefresh size={16} stroke={1.75} aria-hidden="true" />
      </button>
      <MenuButton
        className={styles.button}
        aria-label={t('page-actions')}
        title={t('page-actions')}
        entries={() => act.entries(key)}
        onPick={(name) => act.run(name, key)}
      >
        <IconDots size={16} stroke={1.75} aria-hidden="true" />
      </MenuButton>
      {act.question && <UnsavedDialog {...act.question} />}
    </div>
  )
}

/** The wheel goes through tabs that have no room side by side: most of what is seen at a time, each 300 ms at most. */
function useWheel(list: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = list.current
    let forward = true
    const go = throttle(() => {
      if (!element) return
      const reading = getComputedStyle(element).direction === 'rtl' ? -1 : 1
      const step = element.clientWidth * PART_SEEN * (forward ? 1 : -1) * reading
      element.scrollBy({ left: step, behavior: 'smooth' })
    }, WHEEL_MS)
    const turn = (event: WheelEvent) => {
      if (event.deltaY === 0) return
      forward = event.deltaY > 0
      go()
    }
    element?.addEventListener('wheel', turn, { passive: true })
    return () => {
      element?.removeEventListener('wheel', turn)
      go.cancel()
    }
  }, [list])
}

/** Whether the tabs have no room side by side. */
function useCrowded(list: RefObject<HTMLElement | null>, count: number): boolean {
  const [crowded, setCrowded] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a tab more needs more room
  useEffect(() => {
    const element = list.current
    if (!element) return
    const measure = () => setCrowded(element.scrollWidth > element.clientWidth)
    measure()
    const watcher = new ResizeObserver(measure)
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [list, count])
  return crowded
}

/** Each page that is shown opens its tab, and its tab follows its filters. */
function useVisited(key: string, href: string, title: Keys['common'] | undefined, subject: string | undefined) {
  useEffect(() => {
    if (title === undefined) return
    changeTabs((tabs) => {
      const opened = open(tabs, { key, href, title })
      return subject === undefined ? opened : named(opened, key, subject)
    })
    useViews.setState({ last: { key, href, title } })
  }, [key, href, title, subject])
}

type TabAction = 'refresh' | `close-${'this' | 'left' | 'right' | 'others' | 'all'}` | `move-${'left' | 'right'}`

type Actions = ReturnType<typeof useTabActions>

function useTabActions(current: string) {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const rtl = LANGUAGES[currentLanguage()].rtl
  const tabs = useTabs()
  const unsaved = useUnsaved()
  const [closing, setClosing] = useState<{ key: string; scope: Scope }>()

  /** The tabs that would close with something that is not saved. */
  const atStake = ({ key, scope }: { key: string; scope: Scope }) => {
    const stay = close(tabs, key, scope)
    return tabs.filter((tab) => unsaved[tab.key] && !stay.includes(tab))
  }
  const closeTabs = (key: string, scope: Scope) => {
    if (atStake({ key, scope }).length > 0) setClosing({ key, scope })
    else closeNow(key, scope)
  }
  const closeNow = (key: string, scope: Scope) => {
    const { before, after } = changeTabs((all) => close(all, key, scope))
    const next = neighbour(before, after, current)
    if (next) void navigate(next.href)
  }
  /** What lies left on the screen comes before, but after in right-to-left. */
  const actions: Record<TabAction, (key: string) => void> = {
    refresh: refreshPage,
    'close-this': (key) => closeTabs(key, 'this'),
    'close-left': (key) => closeTabs(key, rtl ? 'after' : 'before'),
    'close-right': (key) => closeTabs(key, rtl ? 'before' : 'after'),
    'close-others': (key) => closeTabs(key, 'others'),
    'close-all': (key) => closeTabs(key, 'all'),
    'move-left': (key) => step(key, rtl ? 1 : -1),
    'move-right': (key) => step(key, rtl ? -1 : 1),
  }
  const step = (key: string, by: number) =>
    changeTabs((all) => move(all, key, all.findIndex((tab) => tab.key === key) + by))

  const entries = (key: string): MenuEntry[] => {
    const entry = (name: TabAction) => ({
      key: name,
      label: t(name),
      disabled: key === INDEX_TAB.key && /this|move/.test(name),
    })
    return [
      entry('refresh'),
      'line',
      ...(['close-this', 'close-left', 'close-right', 'close-others', 'close-all'] as const).map((name) => entry(name)),
      'line',
      ...(['move-left', 'move-right'] as const).map((name) => entry(name)),
    ]
  }
  const question = closing && {
    names: atStake(closing).map((tab) => titleOf(tab, tabs, t(`common:${tab.title}`))),
    onBack: () => setClosing(undefined),
    onClose: (discard: boolean) => {
      for (const tab of atStake(closing)) unsaved[tab.key]?.[discard ? 'discard' : 'putBy']()
      setClosing(undefined)
      closeNow(closing.key, closing.scope)
    },
  }
  const run = (name: string, key: string) =>
    runAction(Object.fromEntries(Object.entries(actions).map(([action, start]) => [action, () => start(key)])), name)
  return { entries, run, close: (key: string) => closeTabs(key, 'this'), question }
}

interface TabProps {
  tab: Tab
  title: string
  current: boolean
  act: Actions
  drag: { held: boolean; over: () => void; take: (key: string | undefined) => void }
}

function TabLink({ tab, title, current, act, drag }: TabProps) {
  const { t } = useTranslation('shell')
  const fixed = tab.key === INDEX_TAB.key
  const link = useRef<HTMLAnchorElement>(null)
  const unsaved = useUnsaved((pages) => pages[tab.key] !== undefined)
  const context = useContextMenu(
    t('page-actions'),
    () => act.entries(tab.key),
    (name) => act.run(name, tab.key),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer title moves the tab
  useEffect(() => {
    if (current) link.current?.parentElement?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
  }, [current, title])
  return (
    <li
      className={styles.tab}
      data-current={current || undefined}
      onContextMenu={context.onContextMenu}
      data-held={drag.held || undefined}
      draggable={!fixed}
      onDragStart={() => drag.take(tab.key)}
      onDragEnter={drag.over}
      onDragOver={(event) => event.preventDefault()}
      onDragEnd={() => drag.take(undefined)}
      onAuxClick={(event) => event.button === 1 && !fixed && act.close(tab.key)}
    >
      <Link
        ref={link}
        to={tab.href}
        draggable={false}
        aria-current={current ? 'page' : undefined}
        onKeyDown={(event) => event.key === 'Delete' && !fixed && act.close(tab.key)}
      >
        <bdi title={title}>{title}</bdi>
      </Link>
      {unsaved && <i role="img" className={styles.unsaved} aria-label={t('not-saved')} title={t('not-saved')} />}
      {!fixed && (
        <button type="button" aria-label={t('close-named', { title })} onClick={() => act.close(tab.key)}>
          <IconX size={13} stroke={1.75} aria-hidden="true" />
        </button>
      )}
      {context.menu}
    </li>
  )
}
