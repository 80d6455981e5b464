/** A new task on the live map: sent to the robot like every other action of the page. */
import { useQueryClient } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { TaskForm } from '@/widgets/task/task-form'
import { useScope } from '../scope'

export function NewTask(form: Omit<ComponentProps<typeof TaskForm>, 'deviceId' | 'onSave'>) {
  const { t } = useTranslation('control')
  const { deviceId, actions } = useScope()
  const queries = useQueryClient()
  return (
    <TaskForm
      {...form}
      deviceId={deviceId}
      onSave={async (payload) => {
        const label = t('save-named', { name: payload.name })
        const saved = await actions.send({ command: 'task_add', payload, label })
        if (saved) await queries.invalidateQueries({ queryKey: ['relay', deviceId, 'task_list'] })
        return saved !== undefined
      }}
    />
  )
}
