import type { DomainEventType } from '@parcelway/contracts/domain-events';
import { topicOf } from '@parcelway/contracts/domain-events';
import type { NamedForecasts } from '@parcelway/contracts/forecast-query-api';
import { topics } from '@parcelway/contracts/topics';
import { jsonOf } from '@parcelway/kernel/json-of';

/** Names a forecast. */
export type ForecastName = NamedForecasts['forecasts'][number];

/** What a dead letter holds, and where it came from. */
export interface DeadLetterContent {
  /** Bytes of the message; null for none. */
  readonly value: Uint8Array | null;
  /** Topic that the message was taken from. */
  readonly topic: string;
  /** Consumer group that could not process it. */
  readonly group: string;
}

/** These delete what is known of a forecast that is gone. */
const ENDINGS: readonly DomainEventType[] = ['forecast.expired', 'forecast.files_expired'];
/** Longer ones name no forecast. */
const MAX_NAME = 64;

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= MAX_NAME;

/** Of JSON that may be an event. */
interface EventFields {
  readonly type?: unknown;
  readonly tenantid?: unknown;
  readonly data?: unknown;
}

/**
 * The forecast without which a dead letter must not be redriven: once the forecast is deleted, its retention or its tenant has ended, and consumers would
 * store data of it that nothing deletes any more. Undefined when it may be redriven in any case: an event that ends a forecast or its files; a warehouse's
 * report that `file` could not process, whose photos end only when it links them to the deleted forecast; and what is no event of a forecast.
 */
export function forecastOfDeadLetter({ value, topic, group }: DeadLetterContent): ForecastName | undefined {
  if (topic === topics.warehouse && group === 'file') return undefined;
  const event = jsonOf(Buffer.from(value ?? []).toString('utf8')) as EventFields | null | undefined;
  const type = event?.type as DomainEventType;
  if (!event || topicOf[type] !== topic || ENDINGS.includes(type)) return undefined;
  const forecastNo = (event.data as { readonly forecast_no?: unknown } | null | undefined)?.forecast_no;
  return isName(event.tenantid) && isName(forecastNo) ? { tenant_id: event.tenantid, forecast_no: forecastNo } : undefined;
}
