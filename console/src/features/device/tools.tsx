/** What can be done with the list as a whole: types, auth code, a new robot. */
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TOOLS, type Tool } from './actions'
import styles from './toolbar.module.css'
import { useAllowed } from './use-actions'

export function Tools() {
  const { t } = useTranslation('device')
  const allowed = useAllowed()
  const [open, setOpen] = useState<Tool>()
  return (
    <div className={styles.tools}>
      {TOOLS.filter(allowed).map((tool) => (
        <Button
          key={tool.key}
          type={tool.key === 'add' ? 'primary' : 'default'}
          icon={<tool.icon size={16} stroke={tool.key === 'add' ? 2 : 1.75} />}
          onClick={() => setOpen(tool)}
        >
          {t(tool.word)}
        </Button>
      ))}
      <Suspense>{open && <open.Dialog onClose={() => setOpen(undefined)} />}</Suspense>
    </div>
  )
}
