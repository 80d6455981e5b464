/** A list at the side and what is chosen from it beside it: the frame of roles and role groups. The choice is in the URL. */
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslation } from '@/shared/i18n/text'
import { Row } from '@/shared/ui/layout'
import { Page, Panel, Split } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { AddButton } from '@/widgets/list/add-button'
import styles from './roles.module.css'

const NEW = 'new'

export type Choice = number | typeof NEW

/** Until somebody chooses, the first of the list. */
export function useChoice(first: number | undefined): [Choice | undefined, (choice: Choice | undefined) => void] {
  const [query, setQuery] = useSearchParams()
  const requested = query.get('id')
  const choice = requested === NEW ? NEW : Number(requested) || first
  return [choice, (next) => setQuery(next === undefined ? {} : { id: String(next) }, { replace: true })]
}

interface Entry {
  readonly id: number
  readonly name: string
  readonly remark: string
}

interface Props {
  title: string
  entries: readonly Entry[]
  choice: Choice | undefined
  onChoose(choice: Choice): void
  addText: string
  empty: string
  hint: string
  children: ReactNode
}

export function Chosen({ title, entries, choice, onChoose, addText, empty, hint, children }: Props) {
  const add = <AddButton onClick={() => onChoose(NEW)}>{addText}</AddButton>
  const none = entries.length === 0 && choice !== NEW
  return (
    <Page>
      <Split first>
        <Panel title={title}>
          <Row as="ul" stack className={styles.entries}>
            {entries.map(({ id, name, remark }) => (
              <li key={id}>
                <Row
                  as="button"
                  stack
                  pad="s m"
                  align="start"
                  type="button"
                  aria-current={id === choice || undefined}
                  onClick={() => onChoose(id)}
                >
                  <bdi>{name}</bdi>
                  <small>{remark}</small>
                </Row>
              </li>
            ))}
          </Row>
          {!none && <Row pad="panel">{add}</Row>}
        </Panel>
        <Panel>{none ? <Nothing why={empty} action={add} /> : children || <Nothing why={hint} />}</Panel>
      </Split>
    </Page>
  )
}

/** The chosen one's head: its name, which can be typed or is said, and what can be done with it. */
export function ChosenHead({ name, actions }: { name: ReactNode; actions: ReactNode }) {
  const { t } = useTranslation('people')
  return (
    <Row as="header" gap="m" align="center" justify="between" pad="m panel" rule="below">
      <div className={styles.name}>
        <span className="unseen">{t('name')}</span>
        {name}
      </div>
      <Row gap="m">{actions}</Row>
    </Row>
  )
}
