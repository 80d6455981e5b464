/** Drive by hand: asks to pause first, then the stick, keys or pad. What is shown is what the robot says it drives. */
import { App, Slider } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import { notice } from '@/shared/ui/notice'
import { Panel } from '@/shared/ui/panel'
import { useRefusalText } from '@/widgets/refusal-text'
import { Speed } from '@/widgets/robot/speed'
import type { ControlRow } from '../control-row'
import { useParams } from '../dialogs/use-params'
import { CommandButton, useScope, useWay } from '../scope'
import styles from './drive.module.css'
import { Joystick } from './joystick'
import { useKeyNames } from './key-names'
import { useDriver } from './use-driver'

const REACH = 40 // px of the knob from its middle
const SLOWEST = 0.1 // m/s
const USUAL = 0.3
const STEP = 0.05
const ROBOT = { hand_linear: 0.5, hand_angular: 1 } // where a robot tells no limits of its own
const SLOW_TURN = 0.4 // of the turning limit that is left at the slowest choice

export function DrivePanel({ row, receiving }: { row: ControlRow; receiving: boolean }) {
  const { t } = useTranslation('control')
  const { unit } = useFormats()
  const { modal } = App.useApp()
  const text = useRefusalText()
  const { deviceId, inControl, actions } = useScope()
  const way = useWay()('cmdvel_ctrl')
  const byHand = row.mode === 'manual'
  const armed = byHand && inControl && receiving && way.available
  const params = { ...ROBOT, ...useParams(deviceId, armed).data?.params }
  const [chosen, setChosen] = useState(USUAL)
  const limit = Math.min(chosen, params.hand_linear)
  const turn = params.hand_angular * Math.max(SLOW_TURN, limit / params.hand_linear)
  const limits = useMemo(() => ({ linear: limit, angular: turn }), [limit, turn])
  const knob = useRef<HTMLSpanElement>(null)
  const keys = useKeyNames()
  const driver = useDriver({
    deviceId,
    armed,
    limits,
    onHeld: ({ x, y }) => {
      if (knob.current) knob.current.style.transform = `translate(${x * REACH}px, ${-y * REACH}px)`
    },
    onRefused: (error) => {
      const why = text(error)
      if (why) notice('error', `${t('drive-by-hand')}: ${why}`)
    },
  })
  useEffect(() => driver.halt, [driver])
  if (!way.available) return null

  const take = async () => {
    const setRobotTime = driver.clock.ask()
    setRobotTime((await actions.byHand(true))?.at)
  }
  const busy = row.run !== '' && row.mode !== 'paused'
  const begin = () => {
    if (!busy) return void take()
    void modal.confirm({
      title: t('drive-by-hand'),
      content: t('pauses-first', { name: row.taskName }),
      okText: t('pause-and-drive'),
      cancelText: t('cancel'),
      onOk: take,
    })
  }
  const mode = byHand ? (
    <CommandButton label={t('end-driving')} size="small" command="hand_mode" onClick={() => actions.byHand(false)} />
  ) : (
    <CommandButton
      label={t('take-wheels')}
      size="small"
      command="hand_mode"
      blocked={row.mode === 'emergency' ? t('emergency-stop') : ''}
      onClick={begin}
    />
  )
  return (
    <Panel title={t('drive-by-hand')} extra={mode}>
      <Row stack gap="m" pad="xxs panel" below="panel">
        <Joystick driver={driver} disabled={!armed} knob={knob} />
        <Row as="p" wrap gap="s" align="center" size="small" tone="quiet" id="drive-how">
          <bdi dir="ltr" className={styles.keys}>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </bdi>
          <span className={styles.how}>{t('let-go-to-stop')}</span>
          <Text as="b" end>
            <Speed deviceId={deviceId} />
          </Text>
        </Row>
        {armed && (
          <div className={styles.limit}>
            <span id="drive-limit">{t('speed-limit')}</span>
            <Slider
              ariaLabelledByForHandle="drive-limit"
              min={SLOWEST}
              max={params.hand_linear}
              step={STEP}
              value={limit}
              onChange={setChosen}
              tooltip={{ open: false }}
            />
            <bdi>{unit(limit, 'metre-per-second', 2)}</bdi>
          </div>
        )}
        {byHand && !inControl && (
          <Text size="small" tone="soft">
            {t('driven-by-other')}
          </Text>
        )}
        {!byHand && busy && (
          <Text size="small" tone="soft">
            {t('asks-to-pause')}
          </Text>
        )}
      </Row>
    </Panel>
  )
}
