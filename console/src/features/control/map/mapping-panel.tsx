/** The map that is being built: how much is seen, its noise cleared, saved under a name, or thrown away. */

import { Button, Input, Popconfirm } from 'antd'
import { useState } from 'react'
import type { MapDocument } from '@/canvas/document/document'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { COMMAND_LIMITS } from '@/shared/relay/limits'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { Field } from '@/widgets/form/field'
import { CommandButton, useScope, useWay } from '../scope'
import styles from '../task/tasks.module.css'

export function MappingPanel({ document, seen }: { document: MapDocument; seen: number }) {
  const { t } = useTranslation('control')
  const { area } = useFormats()
  const { actions } = useScope()
  const cancel = useWay()('cancel_map_builiding')
  const [name, setName] = useState(document.name)
  return (
    <Panel title={t('robot:map-building')} extra={area(seen).text}>
      <Row
        as="form"
        stack
        gap="m"
        align="start"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim()) void actions.saveMap(name.trim())
        }}
      >
        <Text size="small" tone="soft" cut>
          {t('building-how')}
        </Text>
        <Field label={t('map-name')} fault={name.trim() ? undefined : t('map-name-required')}>
          <Input
            value={name}
            maxLength={COMMAND_LIMITS.map_save.name.maxLength}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <CommandButton
          label={t('clear-noise')}
          command="map_clear_noise"
          onClick={() => actions.clearNoise(document.name)}
        />
        <Row gap="m">
          {cancel.available && (
            <Popconfirm
              title={t('cancel-map-sure')}
              okText={t('discard-map')}
              okButtonProps={{ danger: true }}
              cancelText={t('cancel')}
              onConfirm={actions.cancelMap}
            >
              <Button disabled={cancel.blocked !== ''} title={cancel.blocked}>
                {t('cancel-map')}
              </Button>
            </Popconfirm>
          )}
          <CommandButton
            label={t('save-map')}
            command="map_save"
            type="primary"
            htmlType="submit"
            blocked={name.trim() ? '' : t('map-name-required')}
          />
        </Row>
      </Row>
    </Panel>
  )
}
