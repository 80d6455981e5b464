/** A password that the server tells once. */
import { useTranslation } from '@/shared/i18n/text'
import { Once } from '@/widgets/person/once'

interface Props {
  account: string
  name: string
  password: string
  onClose(): void
}

export function FirstPassword({ account, name, password, onClose }: Props) {
  const { t } = useTranslation('people')
  return (
    <Once
      title={t('initial-password-of', { name })}
      how={t('password-once')}
      entries={[
        [
          t('login-name'),
          <bdi key="login-name" dir="ltr">
            {account}
          </bdi>,
        ],
      ]}
      label={t('initial-password')}
      secret={password}
      onClose={onClose}
    />
  )
}
