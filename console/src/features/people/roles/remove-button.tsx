/** Deletes a role or a group after one question. */
import { Button, Popconfirm } from 'antd'
import { useTranslation } from '@/shared/i18n/text'

export function RemoveButton({ name, busy, onRemove }: { name: string; busy: boolean; onRemove(): void }) {
  const { t } = useTranslation('people')
  return (
    <Popconfirm
      title={t('delete-confirm', { name })}
      okText={t('delete')}
      okButtonProps={{ danger: true }}
      cancelText={t('cancel')}
      onConfirm={onRemove}
    >
      <Button danger loading={busy}>
        {t('delete')}
      </Button>
    </Popconfirm>
  )
}
