/** One article: its text, the faults that it explains, and its files. */
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { Button } from '@/shared/controls/button'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import styles from './article.module.css'
import { FileLink } from './file-link'
import { Prose } from './markdown'
import type { DocumentRow } from './rows'

interface Props {
  article: DocumentRow
  onBack(): void
  onEdit(): void
  onDelete(): void
}

export function ArticleView({ article, onBack, onEdit, onDelete }: Props) {
  const { t } = useTranslation('document')
  const { dateTime } = useFormats()
  return (
    <>
      <Row wrap gap="m" align="center">
        <Button onClick={onBack}>{t('all-articles')}</Button>
        <Row gap="s" end>
          {article.own && (
            <Button icon={<IconPencil size={16} />} onClick={onEdit}>
              {t('common:edit')}
            </Button>
          )}
          {article.ours && (
            <Button danger icon={<IconTrash size={16} />} onClick={onDelete}>
              {t('common:delete')}
            </Button>
          )}
        </Row>
      </Row>
      <Panel className={styles.article}>
        <Row as="header" stack gap="xs">
          <Text as="h2" size="title" strong dir="auto">
            {article.name}
          </Text>
          <Text size="small" tone="soft">
            {[article.category, article.ownerName, dateTime(Date.parse(article.updateTime))].join(' · ')}
          </Text>
          {article.codes.length > 0 && (
            <Text size="small" tone="soft">
              {t('explains', { codes: article.codes.join(' · ') })}
            </Text>
          )}
        </Row>
        <Prose text={article.detail} />
        {article.files.length > 0 && (
          <Row as="section" stack gap="s" aria-label={t('attachments')}>
            {article.files.map((file) => (
              <FileLink key={file.path} document={article.id} file={file} />
            ))}
          </Row>
        )}
      </Panel>
    </>
  )
}
