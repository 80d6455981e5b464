/** Choose the picture or video, and see it before it goes away. */
import { IconPhotoVideo } from '@tabler/icons-react'
import { Upload } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { QuotaLine } from '@/widgets/form/quota-line'
import styles from './advert.module.css'
import { Large } from './content'
import { ACCEPTED } from './files'
import type { Row } from './form'

interface Props {
  row: Row | undefined
  picked: File | undefined
  onPick(files: readonly File[]): void
}

export function FileChoice({ row, picked, onPick }: Props) {
  const { t } = useTranslation('advert')
  const [now] = useState(row) // its address keeps while the dialog is open
  const [local, setLocal] = useState<string>()
  useEffect(() => {
    if (!picked) return setLocal(undefined)
    const url = URL.createObjectURL(picked)
    setLocal(url)
    return () => URL.revokeObjectURL(url)
  }, [picked])
  return (
    <div className={styles.choice}>
      {picked && local && <Large url={local} kind={picked.type} name={picked.name} />}
      {!picked && now && <Large url={now.url} kind={now.kind} name={now.name} />}
      <Upload.Dragger
        multiple
        showUploadList={false}
        accept={ACCEPTED}
        beforeUpload={(file, all) => {
          if (file === all[0]) onPick(all)
          return false
        }}
      >
        <IconPhotoVideo size={26} stroke={1.5} aria-hidden="true" />
        <p className={styles.drop}>{t(row || picked ? 'choose-another' : 'choose-file')}</p>
        <p className={styles.remark}>{t('file-how')}</p>
      </Upload.Dragger>
      <QuotaLine kind="adverts" />
    </div>
  )
}
