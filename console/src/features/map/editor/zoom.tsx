/** How near the floor is, in percent of its usual size, and the sizes to choose from. */
import { IconZoomIn } from '@tabler/icons-react'
import { Button, Dropdown } from 'antd'
import { useEffect, useState } from 'react'
import type { MapView } from '@/canvas/view'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'

const WHOLE = 20 // px a metre at 100 %: a cell of 5 cm is a pixel
const SIZES = [0.5, 1, 2, 4]
const FIT = 'fit'

interface Props {
  view: MapView
  /** Gives the listener to each change, in px a metre. */
  listen(take: ((scale: number) => void) | undefined): void
}

export function Zoom({ view, listen }: Props) {
  const { t } = useTranslation('map')
  const { percent } = useFormats()
  const [scale, setScale] = useState(view.scale)
  useEffect(() => {
    setScale(view.scale)
    listen(setScale)
    return () => listen(undefined)
  }, [view, listen])
  const items = [
    { key: FIT, label: t('zoom-fit') },
    ...SIZES.map((size) => ({ key: String(size), label: percent(size) })),
  ]
  const choose = (key: string) => (key === FIT ? view.fit() : view.zoomStep((Number(key) * WHOLE) / view.scale))
  return (
    <Dropdown trigger={['click']} placement="topRight" menu={{ items, onClick: ({ key }) => choose(key) }}>
      <Button
        type="text"
        size="small"
        icon={<IconZoomIn size={15} />}
        aria-label={`${t('zoom')}: ${percent(scale / WHOLE)}`}
      >
        {percent(scale / WHOLE)}
      </Button>
    </Dropdown>
  )
}
