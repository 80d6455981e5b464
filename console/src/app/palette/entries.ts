/**
 * What the palette offers: pages that the account may open, actions of the page that is shown, and of what is typed the
 * robots and maps that the server finds. What was chosen last stands first while nothing is typed.
 */
import { useDeferredValue } from 'react'
import { useNavigate } from 'react-router'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { useMay, useSession } from '@/shared/session/session'
import { setPreference, usePreference } from '@/shared/theme/preferences'
import { currentActions } from '@/widgets/actions/actions'
import { controlPath, infoPath, mapPath } from '@/widgets/paths'
import { menuOf } from '../menu'
import { PAGES } from '../pages'
import { ranked } from './rank'

export interface Entry {
  readonly id: string
  readonly label: string
  /** What tells it from others of its name. */
  readonly detail?: string
  readonly keys?: string
  run(): void
}

export interface Group {
  readonly name: 'recent' | 'pages' | 'actions' | 'robots' | 'maps'
  readonly entries: readonly Entry[]
}

/** A place that was gone to: actions belong to their page and are not kept. */
interface Recent {
  readonly label: string
  readonly detail: string
  readonly to: string
}

const RECENT = 'paletteRecent'
const MOST_RECENT = 8
const MOST = 8

export function useGroups(typed: string): readonly Group[] {
  const { t } = useTranslation('common')
  const go = useGo()
  const recent = usePreference<readonly Recent[]>(RECENT, [])
  const keys = useSession()?.permissionKeys ?? {}
  const place = (label: string, detail: string, to: string): Entry => ({
    id: to,
    label,
    detail,
    run: () => go({ label, detail, to }),
  })
  const pages = menuOf(PAGES, keys).flatMap(({ group, pages: inside }) =>
    inside.map((page) => place(t(page.title), group ? t(group) : '', page.path)),
  )
  const actions = [...new Map(currentActions().map((action) => [action.id, action])).values()]
    .filter((action) => !action.blocked?.())
    .map(({ id, label, keys: strokes, run }) => ({ id, label, run, ...(strokes?.[0] && { keys: strokes[0] }) }))
  const groups: readonly Group[] = [
    {
      name: 'recent',
      entries: typed.trim() ? [] : recent.map(({ label, detail, to }) => place(label, detail, to)),
    },
    { name: 'actions', entries: ranked(typed, actions) },
    { name: 'robots', entries: useRobots(typed, place) },
    { name: 'maps', entries: useMaps(typed, place) },
    { name: 'pages', entries: ranked(typed, pages) },
  ]
  return groups.filter(({ entries }) => entries.length > 0)
}

type Place = (label: string, detail: string, to: string) => Entry

function useRobots(typed: string, place: Place): readonly Entry[] {
  const { t } = useTranslation('common')
  const text = useDeferredValue(typed.trim())
  const [mayList, mayInfo, mayControl] = [useMay('device/index'), useMay('device/info'), useMay('device_control/index')]
  const devices = useCall(
    '/device/selectDevicePc',
    { currentPage: 1, pageSize: MOST, deviceCode: text },
    { enabled: mayList && text !== '', keep: true },
  )
  if (text === '' || typed.trim() === '') return []
  return (devices.data?.list ?? []).flatMap((robot) => [
    place(
      robot.deviceCode,
      robot.deviceSerialNumber,
      mayInfo ? infoPath(robot.deviceId) : `/device/index?text=${encodeURIComponent(robot.deviceCode)}`,
    ),
    ...(mayControl && robot.mode !== 'offline'
      ? [place(robot.deviceCode, t('remote-control'), controlPath(robot))]
      : []),
  ])
}

function useMaps(typed: string, place: Place): readonly Entry[] {
  const text = useDeferredValue(typed.trim())
  const may = useMay('device/maplist')
  const maps = useCall('/map/selectMap', { text }, { enabled: may && text !== '', keep: true })
  if (text === '' || typed.trim() === '') return []
  return (maps.data?.list ?? [])
    .slice(0, MOST)
    .map(({ mapId, name, building, floor, deviceCode }) =>
      place(name, [deviceCode, building, floor].filter(Boolean).join(' · '), mapPath(mapId)),
    )
}

function useGo() {
  const navigate = useNavigate()
  const recent = usePreference<readonly Recent[]>(RECENT, [])
  return (target: Recent) => {
    setPreference(RECENT, [target, ...recent.filter(({ to }) => to !== target.to)].slice(0, MOST_RECENT))
    void navigate(target.to)
  }
}
