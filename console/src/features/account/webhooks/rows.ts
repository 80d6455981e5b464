/** What calls on webhooks answer. */
import type { Answer } from '@/shared/rpc/contract'

export type WebhookRow = Answer<'/webhook/list'>['list'][number]
export type DeliveryRow = Answer<'/webhook/deliveries'>['list'][number]
export type Secret = Answer<'/webhook/insert'>
