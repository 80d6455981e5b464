/** The tools, one below the other, with their keys. */
import { Tooltip } from 'antd'
import { Fragment } from 'react'
import type { Flag } from '@/canvas/document/document'
import { useTranslation } from '@/shared/i18n/text'
import { Row } from '@/shared/ui/layout'
import styles from './editor.module.css'
import { UNLOCKED } from './editor-actions'
import { TOOLS, type ToolId } from './tools'

export const FLAGS = ['charging', 'stop', 'other'] as const satisfies readonly Flag['kind'][]
export const FLAG_WORD = {
  charging: 'charging-dock',
  stop: 'stop-point',
  elevator: 'elevator',
  other: 'map-point',
  startPoint: 'start-point',
} as const satisfies Record<Flag['kind'], string>

interface Props {
  tool: ToolId
  disabled: boolean
  onTool(tool: ToolId): void
}

export function ToolRail({ tool, disabled, onTool }: Props) {
  const { t } = useTranslation('map')
  return (
    <Row
      stack
      gap="xxs"
      align="center"
      pad="s"
      surface
      className={styles.rail}
      role="toolbar"
      aria-label={t('tools')}
      aria-orientation="vertical"
    >
      {TOOLS.map(({ id, key, icon: Icon, label }) => (
        <Fragment key={id}>
          {(id === 'virtualWall' || id === 'measure') && <hr />}
          <Tooltip title={t(label)} placement="right">
            <button
              type="button"
              className={styles.tool}
              aria-label={t(label)}
              aria-keyshortcuts={key}
              aria-pressed={tool === id}
              disabled={disabled && !UNLOCKED.has(id)}
              onClick={() => onTool(id)}
            >
              <Icon size={19} stroke={1.75} aria-hidden="true" />
              <kbd>{key.toUpperCase()}</kbd>
            </button>
          </Tooltip>
        </Fragment>
      ))}
    </Row>
  )
}
