/** /device/hardSupportIndex: the hardware parts that devices may have, and their categories. */
import { Segmented } from 'antd'
import { useSearchParams } from 'react-router'
import { useTranslation } from '@/shared/i18n/text'
import { Page } from '@/shared/ui/panel'
import { CategoryList } from './category-list'
import { PartList } from './part-list'

const VIEWS = ['parts', 'categories'] as const

export function PartsScreen() {
  const { t } = useTranslation('registry')
  const [params, setParams] = useSearchParams()
  const view = VIEWS.find((name) => name === params.get('view')) ?? 'parts'
  const choose = (
    <Segmented
      aria-label={t('accessories')}
      value={view}
      options={VIEWS.map((value) => ({ value, label: t(value === 'parts' ? 'hardware-parts' : 'categories') }))}
      onChange={(next) => setParams(next === 'parts' ? {} : { view: next }, { replace: true })}
    />
  )
  return <Page>{view === 'parts' ? <PartList head={choose} /> : <CategoryList head={choose} />}</Page>
}
