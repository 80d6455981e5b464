/** Permission keys to tick: each page with its buttons under it. What the granter lacks cannot be ticked. */

import { Checkbox } from 'antd'
import { useFormats } from '@/shared/i18n/format'
import { textOr, useTranslation } from '@/shared/i18n/text'
import { Row } from '@/shared/ui/layout'
import styles from './person.module.css'
import { allToggled, counted, type PageKeys, toggled, tree, without } from './ticks'
import { useHeld } from './use-held'

interface Props {
  ticked: ReadonlySet<string>
  /** Without it the keys are only shown. */
  onChange?: (ticked: Set<string>) => void
}

export function KeyPicker({ ticked, onChange }: Props) {
  const { t } = useTranslation('people')
  const { number } = useFormats()
  const held = useHeld()
  const pages = tree(onChange ? new Set([...held, ...ticked]) : ticked)
  const { pages: pageCount, buttons } = counted(ticked)
  const all = without(held, ticked).length === 0
  const some = [...held].some((key) => ticked.has(key))
  return (
    <Row stack above="l">
      <Row wrap gap="xl" lines="xs" size="small" tone="quiet" rule="below" className={styles.sums}>
        {onChange && (
          <Checkbox
            checked={all}
            indeterminate={some && !all}
            onChange={(event) => onChange(allToggled(ticked, event.target.checked, held))}
          >
            {t('select-all')}
          </Checkbox>
        )}
        <span role="status">
          {t('page-permission')} <b>{number(pageCount)}</b> · {t('button-permission')} <b>{number(buttons)}</b>
        </span>
      </Row>
      <ul className={styles.keys}>
        {pages.map((entry) => (
          <PageOfKeys key={entry.page} entry={entry} ticked={ticked} {...(onChange && { onChange })} />
        ))}
      </ul>
    </Row>
  )
}

function PageOfKeys({ entry, ticked, onChange }: Props & { entry: PageKeys }) {
  const { t } = useTranslation('people')
  const held = useHeld()
  const title = textOr(t, `permission:key.${entry.page}`, entry.page)
  const box = (key: string, label: string) =>
    onChange ? (
      <Checkbox
        checked={ticked.has(key)}
        disabled={!held.has(key)}
        onChange={(event) => onChange(toggled(ticked, key, event.target.checked, held))}
      >
        <span title={key}>{label}</span>
      </Checkbox>
    ) : (
      <span title={key}>{label}</span>
    )
  /** "User · Add" under "User" is "Add". */
  const short = (key: string) => {
    const label = textOr(t, `permission:key.${key}`, key)
    return label.startsWith(`${title} · `) ? label.slice(title.length + 3) : label
  }
  return (
    <li data-plain={!onChange || undefined}>
      {box(entry.page, title)}
      {entry.buttons.length > 0 && (
        <ul aria-label={t('buttons-of', { page: title })}>
          {entry.buttons.map((key) => (
            <li key={key}>{box(key, short(key))}</li>
          ))}
        </ul>
      )}
    </li>
  )
}
