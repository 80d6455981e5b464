/** What else the robot can be told: the frequent ones as buttons, the rest behind “more”; dialogs come when they are asked for. */
import { IconAdjustmentsHorizontal, IconDots, IconFocus2, IconGauge, IconMapPin, IconTool } from '@tabler/icons-react'
import { Button, Dropdown, type MenuProps } from 'antd'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { isFlag, type MapDocument } from '@/canvas/document'
import type { Point } from '@/canvas/geometry'
import type { LiveRow } from '@/shared/live/frames'
import type { Command } from '@/shared/relay/relay'
import styles from './actions.module.css'
import type { Dialog } from './dialogs/dialogs'
import type { Hand } from './hand'
import { DeedButton, useScope, useWay } from './scope'

const Dialogs = lazy(async () => ({ default: (await import('./dialogs/dialogs')).Dialogs }))

type Item = NonNullable<MenuProps['items']>[number]

interface Props {
  row: LiveRow
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
    const { shown, blocked } = way(command, locked)
    return shown ? [{ key: label, label, title: blocked, disabled: blocked !== '', onClick: act }] : []
  }
}

/** The list of maps led here to begin a new one (`?build=1`): the dialog comes once control is taken. */
function useAskedToBuild(begin: () => void, building: boolean) {
  const [query, setQuery] = useSearchParams()
  const { shown, blocked } = useWay()('draw_new_map')
  const now = query.has('build') && shown && blocked === ''
  useEffect(() => {
    if (!now) return
    setQuery({}, { replace: true })
    if (!building) begin()
  })
}

export function Actions({ row, map, hand, building, onHand, onShow }: Props) {
  const { t } = useTranslation('control')
  const { deeds } = useScope()
  const item = useItem()
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  useAskedToBuild(() => setDialog('build'), building)
  const flags = map && !building ? map.marks.filter(isFlag).filter((flag) => flag.name) : []
  const braked = row.banners.includes('brake')
  const unready = map && !building ? '' : t('banner-map-not-selected')

  const where: Item[] = [
    ...(map ? item('recover_localization', t('relocalise-window'), () => onHand('window')) : []),
    ...item('relocation_start', t('relocalise-everywhere'), () => void deeds.find()),
    ...flags.flatMap(({ name }) =>
      item('relocation_point', t('relocalise-at', { name }), () => void deeds.findAt(name)),
    ),
    ...item('docker_relocation', t('move-dock'), () => void deeds.moveDock()),
  ]
  const more: Item[] = [
    ...(row.charging ? item('docker_back', t('leave-dock'), () => void deeds.leaveDock()) : []),
    ...(braked
      ? item('robot_lock', t('release-brake'), () => void deeds.brake(false), true)
      : item('robot_lock', t('set-brake'), () => void deeds.brake(true))),
    ...(row.mapName ? item('door_access_control_list', t('door-access'), () => setDialog('doors')) : []),
    ...item('bag_record_trigger', t('record-bag'), () => setDialog('record')),
    ...(building ? [] : item('draw_new_map', t('build-map'), () => setDialog('build'))),
    ...(building || !row.mapName
      ? []
      : item('map_clear_noise', t('clear-noise'), () => void deeds.clearNoise(row.mapName))),
    ...item('robot_reboot', t('reboot-robot'), () => setDialog('reboot')),
  ]
  return (
    <section className={styles.actions} aria-label={t('actions')}>
      <DeedButton
        command="point_moveto"
        icon={<IconMapPin size={16} />}
        aria-pressed={hand === 'goTo'}
        blocked={unready}
        onClick={() => onHand(hand === 'goTo' ? undefined : 'goTo')}
      >
        {t('go-to-point')}
      </DeedButton>
      {where.length > 0 && (
        <Dropdown menu={{ items: where }} trigger={['click']}>
          <Button icon={<IconFocus2 size={16} />} disabled={unready !== ''} title={unready}>
            {t('relocalise')}
          </Button>
        </Dropdown>
      )}
      <DeedButton
        command="robot_params_get"
        icon={<IconAdjustmentsHorizontal size={16} />}
        onClick={() => setDialog('params')}
      >
        {t('parameters')}
      </DeedButton>
      <DeedButton command="utils_state" icon={<IconTool size={16} />} onClick={() => setDialog('utilities')}>
        {t('utilities')}
      </DeedButton>
      <DeedButton command="sensor_info_web" icon={<IconGauge size={16} />} onClick={() => setDialog('sensors')}>
        {t('sensors')}
      </DeedButton>
      {more.length > 0 && (
        <Dropdown menu={{ items: more }} trigger={['click']}>
          <Button icon={<IconDots size={16} />}>{t('more')}</Button>
        </Dropdown>
      )}
      <Suspense fallback={null}>
        {dialog && <Dialogs dialog={dialog} mapName={row.mapName} onShow={onShow} onClose={close} />}
      </Suspense>
    </section>
  )
}
