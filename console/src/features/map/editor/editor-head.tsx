/** What is edited, upon which revision, and what can be done with all of it. */
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowsDiff,
  IconDeviceFloppy,
  IconMapOff,
  IconVersions,
} from '@tabler/icons-react'
import { Button, Tooltip } from 'antd'
import type { MapView } from '@/canvas/view'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Tag } from '@/shared/marks/tag'
import { Row, Text } from '@/shared/ui/layout'
import type { MapRow } from '../row'
import type { Editing } from './session/use-editing'

export type EditorDialog = 'changes' | 'versions' | 'keepout'

interface Props {
  row: MapRow
  view: MapView | undefined
  editing: Editing
  locked: boolean
  /** Whether the robot takes a map; where it does not, nothing can be saved. */
  takes: boolean
  /** Something on the map may not be saved as it is. */
  refused: boolean
  onDialog(dialog: EditorDialog): void
}

export function EditorHead({ row, view, editing, locked, takes, refused, onDialog }: Props) {
  const { t } = useTranslation('map')
  const { number, extent, area } = useFormats()
  const { changes, conflicts, onto } = editing
  const { width, height, resolution } = row
  const none = changes.length === 0 && conflicts.length === 0
  return (
    <Row as="header" wrap gap="l" lines="m" align="center">
      <Text as="h2" size="title">
        {row.name}
      </Text>
      <Tag>
        {changes.length > 0 ? t('draft-of', { revision: onto, next: onto + 1 }) : t('revision', { revision: onto })}
      </Tag>
      <Text as="span" size="small" tone="soft">
        {extent(width * resolution, height * resolution)}
        {' · '}
        {t('cell-size', { size: number(resolution * 100, 1) })}
        {' · '}
        {t('free-floor', { area: area(row.area).text })}
      </Text>
      <Row as="span" wrap gap="s" end>
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
        <Tooltip title={t('keepout')}>
          <Button
            icon={<IconMapOff size={16} />}
            aria-label={t('keepout')}
            disabled={locked}
            onClick={() => onDialog('keepout')}
          />
        </Tooltip>
        <Button icon={<IconVersions size={16} />} onClick={() => onDialog('versions')}>
          {t('versions')}
        </Button>
        <Button icon={<IconArrowsDiff size={16} />} disabled={none} onClick={() => onDialog('changes')}>
          {t('changes', { count: changes.length })}
        </Button>
        {takes && (
          <Button
            type="primary"
            icon={<IconDeviceFloppy size={16} />}
            disabled={locked || refused || none}
            title={refused ? t('mend-first') : ''}
            onClick={() => onDialog('changes')}
          >
            {row.deviceId === null ? t('save') : t('save-to-robot')}
          </Button>
        )}
      </Row>
    </Row>
  )
}
