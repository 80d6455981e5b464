/** Roles or groups to tick, by name. What is ticked and may not be granted here is shown, and stays. */
import { Checkbox } from 'antd'
import { Row, Text } from '@/shared/ui/layout'

interface Props {
  legend: string
  options: readonly { readonly id: number; readonly name: string }[]
  ticked: ReadonlySet<number>
  /** Names what is ticked and not among the options. */
  nameOf(id: number): string
  onChange(ticked: Set<number>): void
}

export function IdTicks({ legend, options, ticked, nameOf, onChange }: Props) {
  const beyond = [...ticked].filter((id) => !options.some((option) => option.id === id))
  if (options.length === 0 && beyond.length === 0) return null
  const flip = (id: number, on: boolean) => {
    const next = new Set(ticked)
    if (on) next.add(id)
    else next.delete(id)
    onChange(next)
  }
  return (
    <Row as="fieldset" wrap gap="xl" lines="s" above="l">
      <Text as="legend" size="small" tone="quiet" below="xs">
        {legend}
      </Text>
      {options.map(({ id, name }) => (
        <Checkbox key={id} checked={ticked.has(id)} onChange={(event) => flip(id, event.target.checked)}>
          <bdi>{name}</bdi>
        </Checkbox>
      ))}
      {beyond.map((id) => (
        <Checkbox key={id} checked disabled>
          <bdi>{nameOf(id)}</bdi>
        </Checkbox>
      ))}
    </Row>
  )
}
