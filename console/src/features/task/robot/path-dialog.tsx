/** Draws a path on a map. The robot takes only one that it can drive. */

import { Button, Input, Select } from 'antd'
import { useMemo, useState } from 'react'
import { type MapDocument, newId, withOnly } from '@/canvas/document/document'
import { taskPath } from '@/canvas/tools/task-path'
import { useTranslation } from '@/shared/i18n/text'
import { COMMAND_LIMITS } from '@/shared/relay/limits'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Loading, Nothing } from '@/shared/ui/query-view'
import { Field, Problem } from '@/widgets/form/field'
import { MapStage } from '@/widgets/map/map-stage'
import { useTell } from '../robot-link'
import { useMap, useMaps } from './floors'
import type { Owner } from './owner'
import styles from './robot.module.css'
import type { Path } from './tasks'

interface Props {
  owner: Owner
  path: Path | undefined
  onClose(): void
}

const round = (metres: number) => Math.round(metres * 1000) / 1000

const pathOf = (map: MapDocument | undefined): readonly (readonly [number, number])[] => {
  const line = map?.marks.find((mark) => mark.kind === 'taskPath')
  return line && 'points' in line ? line.points.map(({ x, y }) => [round(x), round(y)]) : []
}

const withPath = (floor: MapDocument, { name, path }: Path): MapDocument =>
  withOnly(floor, { id: newId(), kind: 'taskPath', name, points: path.map(([x, y]) => ({ x, y })) })

export function PathDialog({ owner, path, onClose }: Props) {
  const { t } = useTranslation('task')
  const { deviceId } = owner
  const maps = useMaps(deviceId)
  const list = maps.data?.list ?? []
  const [chosen, setChosen] = useState(path?.map_name)
  const [name, setName] = useState(path?.name ?? '')
  const mapName = chosen ?? (list.length === 1 ? list[0]?.name : undefined) ?? ''
  const floor = useMap(deviceId, mapName)
  const [draft, setDraft] = useState<MapDocument>()
  const base = useMemo(
    () => (floor.document && path ? withPath(floor.document, path) : floor.document),
    [floor.document, path],
  )
  const map = draft && draft.id === base?.id ? draft : base
  const points = pathOf(map)
  const { tell, busy, refused, forget } = useTell(deviceId)

  const lacks = [
    ...(points.length < 2 ? (['robot:no-path-points-required'] as const) : []),
    ...(name.trim() === '' ? (['robot:no-path-name-required'] as const) : []),
  ]
  const save = async () => {
    const payload = {
      ...{ name: name.trim(), map_name: mapName, path: points },
      ...(path && { revision: path.revision }),
    }
    if (await tell({ command: 'hppath_save', payload, label: t('save-named', { name: name.trim() }) })) onClose()
  }
  return (
    <Modal
      open
      width={1080}
      title={path ? t('edit-named', { name: path.name }) : t('new-path')}
      okText={t('save')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: busy, disabled: lacks.length > 0 }}
      onOk={() => void save()}
      onCancel={onClose}
    >
      <div className={styles.drawn}>
        <div className={styles.stage}>
          {(floor.missing || floor.closed) && <Nothing role="alert" why={t('no-map-configuration')} />}
          {!floor.missing && !map && mapName && <Loading />}
          {map && (
            <MapStage
              label={t('map-of-task', { map: mapName })}
              document={map}
              tool={taskPath}
              onCommit={(next) => {
                forget()
                setDraft(next)
              }}
            />
          )}
        </div>
        <div className={styles.form}>
          {!path && list.length > 1 && (
            <Field label={t('map')}>
              <Select
                aria-label={t('map')}
                value={mapName || null}
                placeholder={t('choose-map')}
                onChange={setChosen}
                options={list.map((map) => ({ value: map.name, label: map.name }))}
              />
            </Field>
          )}
          <Field label={t('name')} fault={refused?.field === 'name' ? refused.text : undefined}>
            <Input
              value={name}
              maxLength={COMMAND_LIMITS.hppath_save.name.maxLength}
              disabled={path !== undefined}
              onChange={(event) => {
                forget()
                setName(event.target.value)
              }}
            />
          </Field>
          <Text size="small" tone="soft" above="xs" below="xs">
            {t('draw-path-how')}
          </Text>
          {points.length > 0 && <Button onClick={() => setDraft(floor.document)}>{t('draw-anew')}</Button>}
          {lacks.length > 0 && (
            <ul className={styles.lacks} aria-label={t('taskform:still-missing')}>
              {lacks.map((lack) => (
                <li key={lack}>{t(lack)}</li>
              ))}
            </ul>
          )}
          {refused && refused.field !== 'name' && (
            <Problem text={t('taskform:path-generation-failed', { why: refused.text })} />
          )}
        </div>
      </div>
    </Modal>
  )
}
