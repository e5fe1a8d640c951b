import { createDomainEvent, type DomainEvent } from '@parcelway/contracts/cloud-event';
import { type EncodedMessage, encodeEvent } from '@parcelway/contracts/encode-event';
import type { Environment } from '@parcelway/contracts/environment';
import type { ForecastRecord } from './domain/forecast.ts';
import type { ForecastMessage } from './domain/messages.ts';

/**
 * A message as it is published, with a new id.
 * @param traceparent of what caused it, when that is known
 */
export function encodeMessage(
  environment: Environment,
  { tenantId, forecastNo }: Pick<ForecastRecord, 'tenantId' | 'forecastNo'>,
  { type, data, time }: ForecastMessage,
  traceparent: string | undefined,
): EncodedMessage {
  const event = createDomainEvent({ type, publisher: 'forecast', tenantId, environment, subject: forecastNo, time, traceparent, data });
  return encodeEvent(event as DomainEvent);
}
