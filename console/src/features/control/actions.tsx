/** Further commands: the frequent ones as buttons, the rest behind “more”; dialogs come when they are asked for. */
import { IconAdjustmentsHorizontal, IconDots, IconFocus2, IconGauge, IconMapPin, IconTool } from '@tabler/icons-react'
import { Button, Dropdown } from 'antd'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { isFlag, type MapDocument } from '@/canvas/document/document'
import type { Point } from '@/canvas/geometry/geometry'
import { useTranslation } from '@/shared/i18n/text'
import type { Command } from '@/shared/relay/contract'
import { useActions } from '@/widgets/actions/actions'
import styles from './actions.module.css'
import type { ControlRow } from './control-row'
import type { Dialog } from './dialogs/dialogs'
import type { Hand } from './hand'
import { CommandButton, useScope, useWay } from './scope'

const Dialogs = lazy(async () => ({ default: (await import('./dialogs/dialogs')).Dialogs }))

/** A line of a menu, which the palette has, too. */
interface Item {
  readonly label: string
  /** Why not now; '' when it can be done. */
  readonly blocked: string
  act(): void
}

interface Props {
  row: ControlRow
  map: MapDocument | undefined
  hand: Hand
  building: boolean
  onHand(hand: Hand): void
  onShow(at: Point): void
}

/** A line of a menu for a command; none where the robot or the account never may. */
function useItem() {
  const way = useWay()
  return (command: Command, label: string, act: () => void, locked?: boolean): Item[] => {
    const { available, blocked } = way(command, locked)
    return available ? [{ label, blocked, act }] : []
  }
}

const lineOf = ({ label, blocked, act }: Item) => ({
  ...{ key: label, label, title: blocked, disabled: blocked !== '' },
  onClick: act,
})
const actionOf = ({ label, blocked, act }: Item) => ({ id: label, label, blocked: () => blocked, run: act })

/** The list of maps led here to begin a new one (`?build=1`): the dialog comes once control is taken. */
function useBuildRequest(begin: () => void, building: boolean) {
  const [query, setQuery] = useSearchParams()
  const { available, blocked } = useWay()('draw_new_map')
  const now = query.has('build') && available && blocked === ''
  const taken = useRef(false) // the address changes a while after it was asked to
  useEffect(() => {
    if (!query.has('build')) taken.current = false
    if (!now || taken.current) return
    taken.current = true
    setQuery({}, { replace: true })
    if (!building) begin()
  })
}

export function Actions({ row, map, hand, building, onHand, onShow }: Props) {
  const { t } = useTranslation('control')
  const { actions } = useScope()
  const item = useItem()
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  useBuildRequest(() => setDialog('build'), building)
  const flags = map && !building ? map.marks.filter(isFlag).filter((flag) => flag.name) : []
  const braked = row.banners.includes('brake')
  const unready = map && !building ? '' : t('banner-map-not-selected')

  const where: Item[] = [
    ...(map ? item('recover_localization', t('relocalise-window'), () => onHand('window')) : []),
    ...item('relocation_start', t('relocalise-everywhere'), () => void actions.find()),
    ...flags.flatMap(({ name }) =>
      item('relocation_point', t('relocalise-at', { name }), () => void actions.findAt(name)),
    ),
    ...item('docker_relocation', t('move-dock'), () => void actions.moveDock()),
  ]
  const more: Item[] = [
    ...(row.charging ? item('docker_back', t('leave-dock'), () => void actions.leaveDock()) : []),
    ...(braked
      ? item('robot_lock', t('release-brake'), () => void actions.brake(false), true)
      : item('robot_lock', t('set-brake'), () => void actions.brake(true))),
    ...(row.mapName ? item('door_access_control_list', t('door-access'), () => setDialog('doors')) : []),
    ...item('robot_speak', t('robot:speak'), () => setDialog('speak')),
    ...item('bag_record_trigger', t('record-bag'), () => setDialog('record')),
    ...(building ? [] : item('draw_new_map', t('build-map'), () => setDialog('build'))),
    ...(building || !row.mapName
      ? []
      : item('map_clear_noise', t('clear-noise'), () => void actions.clearNoise(row.mapName))),
    ...item('robot_reboot', t('reboot-robot'), () => setDialog('reboot')),
  ]
  useActions([...(unready ? [] : where), ...more].map(actionOf))
  return (
    <section className={styles.actions} aria-label={t('actions')}>
      <CommandButton
        label={t('go-to-point')}
        command="point_moveto"
        icon={<IconMapPin size={16} />}
        aria-pressed={hand === 'goTo'}
        blocked={unready}
        onClick={() => onHand(hand === 'goTo' ? undefined : 'goTo')}
      />
      {where.length > 0 && (
        <Dropdown menu={{ items: where.map(lineOf) }} trigger={['click']}>
          <Button icon={<IconFocus2 size={16} />} disabled={unready !== ''} title={unready}>
            {t('relocalise')}
          </Button>
        </Dropdown>
      )}
      <CommandButton
        label={t('parameters')}
        command="robot_params_get"
        icon={<IconAdjustmentsHorizontal size={16} />}
        onClick={() => setDialog('params')}
      />
      <CommandButton
        label={t('robot:utilities')}
        command="utils_state"
        icon={<IconTool size={16} />}
        onClick={() => setDialog('utilities')}
      />
      <CommandButton
        label={t('sensors')}
        command="sensor_info_web"
        icon={<IconGauge size={16} />}
        onClick={() => setDialog('sensors')}
      />
      {more.length > 0 && (
        <Dropdown menu={{ items: more.map(lineOf) }} trigger={['click']}>
          <Button icon={<IconDots size={16} />}>{t('more')}</Button>
        </Dropdown>
      )}
      <Suspense fallback={null}>
        {dialog && <Dialogs dialog={dialog} mapName={row.mapName} onShow={onShow} onClose={close} />}
      </Suspense>
    </section>
  )
}
