/** Codes for many robots: their serial numbers are checked one by one first, then the codes come as a spreadsheet. */

import { Button, Input, Select, Upload } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { raw } from '@/shared/rpc/call'
import type { Answer } from '@/shared/rpc/contract'
import { useErrorText } from '@/shared/rpc/errors/error-text'
import { upload } from '@/shared/rpc/upload'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { ownZone } from '@/widgets/list/sheet/cells'
import { SaveButton } from '@/widgets/list/tools/save-button'
import type { DialogProps } from '../dialog-props'
import styles from '../dialogs.module.css'
import { CodeFields } from './code-fields'
import { RULES } from './field-rules'

const DAYS = [1, 7, 30, 90] as const // the server's longest is the last
const USUAL_DAYS = 7
const MOST = 500

/** Numbers as they are pasted: by line, comma or blank. */
const numbersIn = (text: string) => [...new Set(text.split(/[\s,;]+/).filter(Boolean))]

interface Props extends Pick<DialogProps, 'onClose'> {
  /** Of robots that were just added. */
  serials?: readonly string[]
}

export function CodesDialog({ onClose, serials = [] }: Props) {
  const { t } = useTranslation('asset')
  const { list } = useFormats()
  const [text, setText] = useState(serials.join('\n'))
  const [days, setDays] = useState<number>(USUAL_DAYS)
  const [owner, setOwner] = useState<number>()
  const [type, setType] = useState<number>()
  const [checked, setChecked] = useState<Answer<'/device/checkAuthCodes'>>()
  const action = useAction('/device/checkAuthCodes', t('check-serials'), ['deviceSerialNumbers'])
  const errorText = useErrorText()
  const [sheetProblem, setSheetProblem] = useState<string>()
  const read = (file: File) => {
    const form = new FormData()
    form.set('file', file)
    upload('/device/readAuthCodeSheet', form).then(
      ({ list: serials }) => {
        setText([...numbersIn(text), ...serials].join('\n'))
        setChecked(undefined)
        setSheetProblem(undefined)
      },
      (error: Error) => setSheetProblem(errorText(error, t('fleet:choose-sheet'))),
    )
    return false // not sent by the widget
  }
  const numbers = numbersIn(text)
  const wrong = numbers.filter((number) => RULES.serial(number, {}))
  const fault =
    wrong.length > 0
      ? `${t('fault-serial')}: ${list(wrong.slice(0, 5))}`
      : numbers.length > MOST
        ? t('serials-most', { most: MOST })
        : undefined
  const payload = {
    ...{ deviceSerialNumbers: numbers, days },
    ...(owner !== undefined && { userId: owner }),
    ...(type !== undefined && { deviceType: type }),
    zone: ownZone(),
  }
  return (
    <Modal open title={t('codes-for-many')} onCancel={onClose} footer={<Button onClick={onClose}>{t('close')}</Button>}>
      <Text tone="quiet" below="m">
        {t('codes-how')}
      </Text>
      <Field
        label={t('serial-numbers')}
        hint={t('serials-how')}
        fault={fault ?? action.problemAt('deviceSerialNumbers')}
      >
        <Input.TextArea
          dir="ltr"
          rows={6}
          value={text}
          aria-label={t('serial-numbers')}
          onChange={(event) => {
            setText(event.target.value)
            setChecked(undefined)
          }}
        />
      </Field>
      <Row gap="m" align="center" below="m">
        <Upload accept=".xlsx" maxCount={1} showUploadList={false} beforeUpload={read}>
          <Button>{t('fleet:choose-sheet')}</Button>
        </Upload>
        <Problem text={sheetProblem} />
      </Row>
      <Field label={t('valid-days')}>
        <Select
          value={days}
          onChange={setDays}
          aria-label={t('valid-days')}
          options={DAYS.map((value) => ({ value, label: String(value) }))}
        />
      </Field>
      <CodeFields owner={owner} onOwner={setOwner} ownerHint={t('codes-owner-how')} type={type} onType={setType} />
      <Row gap="m" wrap align="center" above="m">
        <Button
          type={checked ? 'default' : 'primary'}
          loading={action.busy}
          disabled={numbers.length === 0 || fault !== undefined}
          onClick={() => action.run({ deviceSerialNumbers: numbers }, setChecked)}
        >
          {t('check-serials')}
        </Button>
        <SaveButton
          file="codes.xlsx"
          disabled={checked === undefined || checked.faults.length > 0}
          fetch={() => raw('/device/authCodeSheet', payload)}
        >
          {t('download-codes')}
        </SaveButton>
        {checked?.faults.length === 0 && (
          <span role="status">{t('serials-good', { rows: checked.rows, known: checked.known })}</span>
        )}
      </Row>
      {checked && checked.faults.length > 0 && <Faults checked={checked} />}
      <Problem text={action.problem} />
    </Modal>
  )
}

function Faults({ checked }: { checked: Answer<'/device/checkAuthCodes'> }) {
  const { t } = useTranslation('asset')
  return (
    <div role="alert">
      <p>{t('serials-bad', { bad: checked.faults.length, rows: checked.rows })}</p>
      <table className={styles.types}>
        <thead>
          <tr>
            <th>{t('serial-number')}</th>
            <th>{t('why-no-code')}</th>
          </tr>
        </thead>
        <tbody>
          {checked.faults.map(({ deviceSerialNumber, why }) => (
            <tr key={deviceSerialNumber}>
              <th scope="row">
                <bdi>{deviceSerialNumber}</bdi>
              </th>
              <td>{why}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
