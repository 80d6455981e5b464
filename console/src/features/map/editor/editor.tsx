/** The drawing board (LOOK 05): tools at the side, the floor in the middle, its elements beside it. */
import {
  IconAlertTriangleFilled,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconVersions,
  IconZoomIn,
} from '@tabler/icons-react'
import { Button, Checkbox } from 'antd'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chord } from '@/canvas/actions'
import { type Flag, markById, withMark } from '@/canvas/document'
import type { Point } from '@/canvas/geometry'
import type { Snaps } from '@/canvas/snap'
import type { Measure } from '@/canvas/tools/measure'
import type { Editor as Hands, Refusal } from '@/canvas/tools/tool'
import type { MapView } from '@/canvas/view'
import { useFormats } from '@/shared/i18n/format'
import { useMay } from '@/shared/rpc/session'
import { Nothing } from '@/shared/ui/shown'
import { MapStage } from '@/widgets/map-stage'
import type { MapRow } from '../row'
import { BlockedBand, useBlock } from './blocked'
import { ChangesDialog } from './changes-dialog'
import styles from './editor.module.css'
import { ElementForm } from './element-form'
import { ElementsPanel } from './elements-panel'
import { problems } from './problems'
import { ToolRail } from './tool-rail'
import { makeTool, placed, TOOLS, type ToolId } from './tools'
import { useEditing } from './use-editing'
import { VersionsDialog } from './versions-dialog'

const SNAPS = ['walls', 'right', 'metres'] as const

/** Keys belong to a field, a dialog or a menu while one has them. */
const elsewhere = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, [role=dialog], [role=combobox], [role=menu]') !== null

export function Editor({ row }: { row: MapRow }) {
  const { t } = useTranslation('map')
  const { number, unit, area } = useFormats()
  const may = useMay('device/maplist')
  const block = useBlock(row)
  const locked = block !== undefined || !may
  const [view, setView] = useState<MapView>()
  const editing = useEditing(row, view)
  const { doc, base, changes, onto } = editing
  const [tool, setTool] = useState<ToolId>('select')
  const [flagKind, setFlagKind] = useState<Flag['kind']>('charging')
  const [snaps, setSnaps] = useState<Snaps>({ walls: true, right: true, metres: false })
  const [selected, setSelected] = useState<string>()
  const [pointer, setPointer] = useState<(Point & { inside: boolean }) | undefined>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [dialog, setDialog] = useState<'changes' | 'versions'>()
  const meant = useRef(snaps)
  meant.current = snaps
  const shown = useRef<MapView>(undefined)
  shown.current = view

  const hear = useMemo(() => ({ onSelect: setSelected, onPointer: setPointer, onRefuse: setRefusal }), [])
  const make = useCallback(
    (editor: Hands) => {
      const now: ToolId = locked && tool !== 'hand' && tool !== 'measure' ? 'hand' : tool
      const onMeasure = (told: Measure | undefined) => shown.current?.showMeasure(told)
      return makeTool(now, editor, { flagKind: () => flagKind, snaps: () => meant.current, onMeasure })
    },
    [tool, flagKind, locked],
  )
  useEffect(() => view?.setLayers({ metres: true }), [view])

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (elsewhere(event.target) || !view || event.defaultPrevented) return
      const pressed = chord(event)
      const taken = TOOLS.find(({ key }) => key === pressed)
      const insert = pressed === 'Enter' && !view.drawing && !locked && event.target instanceof HTMLCanvasElement
      const mark = insert ? placed(view.editor.map, tool, flagKind, view.middle) : undefined
      if (taken) setTool(taken.id)
      else if (pressed === 'ctrl+z') view.undo()
      else if (pressed === 'ctrl+shift+z' || pressed === 'ctrl+y') view.redo()
      else if (pressed === 'f') view.fitShape()
      else if (pressed === 'Delete' && selected && !locked) view.remove(selected)
      else if (mark) {
        view.editor.commit(withMark(view.editor.map, mark))
        view.select(mark.id)
      } else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [view, tool, flagKind, selected, locked])

  useEffect(() => {
    if (changes.length === 0) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [changes.length])

  if (editing.missing) return <Nothing why={t('no-picture')} />
  const wrong = doc && base ? problems(doc, base) : new Map()
  const chosen = doc && selected ? markById(doc, selected) : undefined
  const inHand = TOOLS.find(({ id }) => id === tool)
  const { width, height, resolution } = row
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{row.name}</h1>
        <span className={styles.version}>
          {changes.length > 0 ? t('draft-of', { revision: onto, next: onto + 1 }) : t('revision', { revision: onto })}
        </span>
        <span className={styles.remark}>
          <bdi dir="ltr">
            {number(width * resolution, 1)} × {unit(height * resolution, 'metre', 1)}
          </bdi>
          {' · '}
          {t('free-floor', { area: area(row.area).text })}
        </span>
        <span className={styles.deeds}>
          <Button icon={<IconArrowBackUp size={16} />} disabled={!view?.canUndo || locked} onClick={() => view?.undo()}>
            {t('undo')} <kbd>Ctrl Z</kbd>
          </Button>
          <Button
            icon={<IconArrowForwardUp size={16} />}
            disabled={!view?.canRedo || locked}
            onClick={() => view?.redo()}
          >
            {t('redo')}
          </Button>
          <Button icon={<IconVersions size={16} />} onClick={() => setDialog('versions')}>
            {t('versions')}
          </Button>
          <Button
            type="primary"
            disabled={locked || (changes.length === 0 && editing.conflicts.length === 0)}
            onClick={() => setDialog('changes')}
          >
            {t('changes', { count: changes.length })}
          </Button>
        </span>
      </header>
      {block && row.deviceId !== null && <BlockedBand block={block} deviceId={row.deviceId} />}
      <div className={styles.board}>
        <ToolRail tool={tool} flag={flagKind} disabled={locked} onTool={setTool} onFlag={setFlagKind} />
        <div className={styles.middle}>
          <div className={styles.snap}>
            <b>{t('snap')}</b>
            {SNAPS.map((one) => (
              <Checkbox
                key={one}
                checked={snaps[one]}
                onChange={({ target }) => setSnaps({ ...snaps, [one]: target.checked })}
              >
                {t(`snap-${one}`)}
              </Checkbox>
            ))}
          </div>
          <div className={styles.floor}>
            <MapStage
              label={t('map-named', { name: row.name })}
              document={doc}
              tool={make}
              outlines
              hear={hear}
              onCommit={editing.changed}
              onView={setView}
            />
          </div>
          <div className={styles.status}>
            <b>{inHand && t(inHand.label)}</b>
            <span>{inHand && t(inHand.how)}</span>
            <span className={styles.where} dir="ltr">
              {pointer && `x ${number(pointer.x, 2)} m  y ${number(pointer.y, 2)} m`}
            </span>
            {(refusal ? refusal.reason === 'map.beyondEdge' : pointer && !pointer.inside) && (
              <span className={styles.outside}>
                <IconAlertTriangleFilled size={14} aria-hidden="true" />
                {t('outside')}
              </span>
            )}
            <span dir="ltr">
              <IconZoomIn size={15} aria-hidden="true" /> {view ? number(view.scale, 0) : ''} px/m
            </span>
          </div>
        </div>
        <div className={styles.side}>
          {doc && <ElementsPanel view={view} map={doc} selected={selected} wrong={wrong} locked={locked} />}
          {doc && view && chosen && (
            <ElementForm
              key={chosen.id}
              view={view}
              map={doc}
              mark={chosen}
              problem={wrong.get(chosen.id)}
              locked={locked}
            />
          )}
        </div>
      </div>
      {dialog === 'changes' && (
        <ChangesDialog
          editing={editing}
          robot={row.deviceId === null ? null : (row.deviceCode ?? '')}
          refused={wrong.size > 0}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'versions' && (
        <VersionsDialog mapId={row.mapId} editing={editing} locked={locked} onClose={() => setDialog(undefined)} />
      )}
    </div>
  )
}
