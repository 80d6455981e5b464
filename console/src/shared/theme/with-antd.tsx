/** Loads a part that is drawn with Ant Design, and what it stands in: neither is on the first load of the console. */
import type { ComponentType } from 'react'

export async function withAntd<P extends object>(load: () => Promise<ComponentType<P>>): Promise<ComponentType<P>> {
  const [Part, { AntdScope, loadPack }] = await Promise.all([load(), import('./antd-scope')])
  await loadPack()
  return (props) => (
    <AntdScope>
      <Part {...props} />
    </AntdScope>
  )
}
