/** What the tool in hand wants, where the pointer is, and how near the floor is; moves with the pointer, alone. */
import { IconAlertTriangleFilled, IconZoomIn } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Point } from '@/canvas/geometry/geometry'
import type { Refusal } from '@/canvas/tools/tool'
import type { MapView } from '@/canvas/view'
import { useFormats } from '@/shared/i18n/format'
import { Row } from '@/shared/ui/layout'
import styles from './editor.module.css'
import { TOOLS, type ToolId } from './tools'

export type Pointed = (Point & { readonly inside: boolean }) | undefined

interface Props {
  tool: ToolId
  view: MapView | undefined
  refusal: Refusal | undefined
  /** Gives the one who is told where the pointer is. */
  listen(take: ((at: Pointed) => void) | undefined): void
}

export function StatusLine({ tool, view, refusal, listen }: Props) {
  const { t } = useTranslation('map')
  const { number } = useFormats()
  const [pointer, setPointer] = useState<Pointed>()
  useEffect(() => {
    listen(setPointer)
    return () => listen(undefined)
  }, [listen])
  const inHand = TOOLS.find(({ id }) => id === tool)
  return (
    <Row wrap gap="panel" lines="xxs" align="center" className={styles.status}>
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
    </Row>
  )
}
