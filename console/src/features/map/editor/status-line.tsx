/** What the tool in hand wants, where the pointer is, and how near the floor is; moves with the pointer, alone. */
import { IconAlertTriangleFilled } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { Point } from '@/canvas/geometry/geometry'
import type { Refusal } from '@/canvas/tools/tool'
import type { MapView } from '@/canvas/view'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import styles from './editor.module.css'
import { TOOLS, type ToolId } from './tools'
import { Zoom } from './zoom'

export type Pointed = (Point & { readonly inside: boolean }) | undefined

interface Props {
  tool: ToolId
  view: MapView | undefined
  refusal: Refusal | undefined
  /** Gives the listener to the pointer's place. */
  listen(take: ((at: Pointed) => void) | undefined): void
  /** The same for how near the floor is, px a metre. */
  listenToZoom(take: ((scale: number) => void) | undefined): void
}

export function StatusLine({ tool, view, refusal, listen, listenToZoom }: Props) {
  const { t } = useTranslation('map')
  const { number } = useFormats()
  const [pointer, setPointer] = useState<Pointed>()
  useEffect(() => {
    listen(setPointer)
    return () => listen(undefined)
  }, [listen])
  const inHand = TOOLS.find(({ id }) => id === tool)
  return (
    <Row gap="panel" align="center" pad="xxs panel" size="control" tone="quiet" rule="above" className={styles.status}>
      <Text as="b" tone="primary">
        {inHand && t(inHand.label)}
      </Text>
      <Text as="span" cut grow>
        {inHand && t(inHand.how)}
      </Text>
      <Text as="span" className={styles.where} dir="ltr">
        {pointer && `x ${number(pointer.x, 2)} m  y ${number(pointer.y, 2)} m`}
      </Text>
      {(refusal ? refusal.reason === 'map.beyondEdge' : pointer && !pointer.inside) && (
        <Row as="span" gap="xs" align="center" tone="help" strong>
          <IconAlertTriangleFilled size={14} aria-hidden="true" />
          {t('outside')}
        </Row>
      )}
      {view && <Zoom view={view} listen={listenToZoom} />}
    </Row>
  )
}
