/** The drawing board (LOOK 05): tools at the side, the floor in the middle, its elements beside it. */
import { Alert, Checkbox } from 'antd'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Flag, markById, withMark } from '@/canvas/document/document'
import type { Box } from '@/canvas/geometry/geometry'
import type { Snaps } from '@/canvas/geometry/snap'
import type { Measure } from '@/canvas/tools/measure'
import type { Draft, Editor as Hands, Refusal } from '@/canvas/tools/tool'
import type { MapView } from '@/canvas/view'
import { useTranslation } from '@/shared/i18n/text'
import { useMay } from '@/shared/session/session'
import { Row } from '@/shared/ui/layout'
import { Nothing } from '@/shared/ui/query-view'
import { useActions } from '@/widgets/actions/actions'
import { MapStage } from '@/widgets/map/map-stage'
import { has } from '@/widgets/robot/robot'
import { commandsOf, type MapRow } from '../row'
import { ChangesDialog } from './changes-dialog'
import { ContextMenu } from './context-menu'
import styles from './editor.module.css'
import { editorActions } from './editor-actions'
import { type EditorDialog, EditorHead } from './editor-head'
import { ElementForm } from './elements/element-form'
import { ElementsPanel } from './elements/elements-panel'
import { MapHours } from './elements/hours-field'
import { KeepoutDialog } from './elements/keepout-dialog'
import { type Problem, problems } from './elements/problems'
import { RefusedForm } from './elements/refused-form'
import { SelectionForm } from './elements/selection-form'
import { FlagKind } from './flag-kind'
import { Overview } from './overview'
import { freeRoomName, roomsOf } from './rooms/rooms'
import { RoomsBand } from './rooms/rooms-band'
import { useRooms } from './rooms/use-rooms'
import { BlockedBand, useBlock } from './session/blocked'
import { LeftBand } from './session/left-band'
import { useChannel } from './session/use-channel'
import { useEditing } from './session/use-editing'
import { type Pointed, StatusLine } from './status-line'
import { ToolRail } from './tool-rail'
import { fitted, makeTool, type ToolId } from './tools'
import { VersionsDialog } from './versions-dialog'

const SNAPS = ['walls', 'right', 'metres'] as const

const INSET = { top: 40, bottom: 116 } // px: below the snaps, above the overview
const NOTHING: readonly string[] = []
const NONE_WRONG: ReadonlyMap<string, Problem> = new Map()

export function Editor({ row }: { row: MapRow }) {
  const { t } = useTranslation('map')
  const may = useMay('device/maplist')
  const block = useBlock(row)
  const [view, setView] = useState<MapView>()
  const editing = useEditing(row)
  const { session, left, doc, base } = editing
  const takes = row.deviceId === null || has(commandsOf(row), 'map/Upload')
  const locked = block !== undefined || !may || !takes || left !== undefined
  const [tool, setTool] = useState<ToolId>('select')
  const [flagKind, setFlagKind] = useState<Flag['kind']>('charging')
  const [snaps, setSnaps] = useState<Snaps>({ walls: true, right: true, metres: false })
  const [selection, setSelection] = useState<readonly string[]>(NOTHING)
  const [refusal, setRefusal] = useState<Refusal>()
  const [refused, setRefused] = useState<Draft>()
  const [dialog, setDialog] = useState<EditorDialog>()
  const meant = useRef(snaps)
  meant.current = snaps
  const selected = selection.length === 1 ? selection[0] : undefined
  const rooms = useRooms(row.mapId, view)
  const viewRef = useRef<MapView>(undefined)
  viewRef.current = view

  const pointed = useChannel<Pointed>()
  const seen = useChannel<Box>()
  const zoomed = useChannel<number>()
  const drafted = useRef<Draft>(undefined)
  const hear = useMemo(
    () => ({
      onSelect: setSelection,
      onPointer: pointed.tell,
      onSeen: (box: Box) => {
        seen.tell(box)
        zoomed.tell(viewRef.current?.scale ?? 0)
      },
      onDraft: (draft: Draft | undefined) => {
        drafted.current = draft
      },
      onRefuse: setRefusal,
    }),
    [pointed, seen, zoomed],
  )
  const { numbered } = rooms
  const make = useCallback(
    (editor: Hands) => {
      const now: ToolId = locked && tool !== 'hand' && tool !== 'measure' ? 'hand' : tool
      const onMeasure = (measure: Measure | undefined) => viewRef.current?.showMeasure(measure)
      const roomName = () => freeRoomName(editor.map, numbered)
      return makeTool(now, editor, { flagKind: () => flagKind, snaps: () => meant.current, onMeasure, roomName })
    },
    [tool, flagKind, locked, numbered],
  )
  useEffect(() => view?.setLayers({ metres: true }), [view])

  const wrong = useMemo(() => (doc && base ? problems(doc, base) : NONE_WRONG), [doc, base])
  const bringBack = () => {
    const mark = doc && selected ? markById(doc, selected) : undefined
    if (view?.refused || !mark || locked) view?.fitShape()
    else if (wrong.get(mark.id) === 'problem-edge')
      view?.editor.commit(withMark(view.editor.map, fitted(mark, view.editor.map)))
  }
  const actions = editorActions({
    ...{ t, view, locked, tool, flagKind, selection, onTool: setTool, onFit: bringBack },
    onDialog: setDialog,
    onMerge: () => void rooms.merge(),
    onFindRooms: () => void rooms.find(),
    changed: editing.changes.length > 0,
  })
  useActions(actions)

  if (editing.missing) return <Nothing why={t('alarm-map-load')} />
  const hand = refusal && refused ? refused : undefined // it stays in hand until it fits, or is dropped
  const inMind = hand ? new Map([...wrong, [hand.mark, 'problem-edge' as const]]) : wrong
  const drawn = hand?.map ?? doc
  const chosen = drawn && (hand?.mark ?? selected) ? markById(drawn, hand?.mark ?? selected ?? '') : undefined
  return (
    <Row stack gap="m" pad="panel" className={styles.page}>
      <EditorHead
        row={row}
        view={view}
        editing={editing}
        locked={locked}
        takes={takes}
        refused={wrong.size > 0 || hand !== undefined}
        onDialog={setDialog}
      />
      {!takes && <Alert type="info" showIcon title={t('robot-takes-no-maps')} />}
      {block && row.deviceId !== null && <BlockedBand block={block} deviceId={row.deviceId} />}
      {may && left && <LeftBand left={left} />}
      {doc && !locked && roomsOf(doc.marks).length === 0 && <RoomsBand rooms={rooms} />}
      <div className={styles.board}>
        <ToolRail tool={tool} disabled={locked} onTool={setTool} />
        <Row stack surface className={styles.middle}>
          <Row
            wrap
            gap="l"
            lines="xxs"
            align="center"
            pad="s l"
            size="control"
            surface
            className={styles.float}
            data-place="top"
          >
            <b>{t('snap')}</b>
            {SNAPS.map((snap) => (
              <Checkbox
                key={snap}
                checked={snaps[snap]}
                onChange={({ target }) => setSnaps({ ...snaps, [snap]: target.checked })}
              >
                {t(`snap-${snap}`)}
              </Checkbox>
            ))}
            {tool === 'flag' && <FlagKind kind={flagKind} onChange={setFlagKind} />}
          </Row>
          <ContextMenu actions={actions}>
            <Row
              grow
              className={styles.floor}
              onPointerUp={() => setRefused(view?.refused ? drafted.current : undefined)} // not while it is dragged
            >
              {session && (
                <MapStage
                  label={t('map-named', { name: row.name })}
                  document={doc}
                  steps={session}
                  tool={make}
                  outlines
                  inset={INSET}
                  hear={hear}
                  onView={setView}
                />
              )}
              {view && doc?.grid && <Overview view={view} map={doc} listen={seen.to} />}
            </Row>
          </ContextMenu>
          <StatusLine tool={tool} view={view} refusal={refusal} listen={pointed.to} listenToZoom={zoomed.to} />
        </Row>
        <Row stack surface>
          {drawn && (
            <ElementsPanel
              view={view}
              map={drawn}
              selection={hand ? [hand.mark] : selection}
              wrong={inMind}
              locked={locked}
            />
          )}
          {view && selection.length > 1 && !hand && (
            <SelectionForm view={view} rooms={rooms} count={selection.length} locked={locked} />
          )}
          {view && doc && !chosen && selection.length < 2 && <MapHours view={view} map={doc} locked={locked} />}
          {view && chosen && hand && <RefusedForm view={view} mark={chosen} />}
          {view && chosen && doc && !hand && (
            <ElementForm
              key={chosen.id}
              view={view}
              map={doc}
              mark={chosen}
              problem={wrong.get(chosen.id)}
              locked={locked}
            />
          )}
        </Row>
      </div>
      {dialog === 'changes' && (
        <ChangesDialog
          editing={editing}
          robot={row.deviceId === null ? null : (row.deviceCode ?? '')}
          refused={wrong.size > 0}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'keepout' && view && (
        <KeepoutDialog mapId={row.mapId} view={view} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'versions' && (
        <VersionsDialog mapId={row.mapId} editing={editing} locked={locked} onClose={() => setDialog(undefined)} />
      )}
    </Row>
  )
}
