import { createDomainEvent } from '@parcelway/contracts/cloud-event';
import { type EncodedMessage, encodeEvent } from '@parcelway/contracts/encode-event';
import { isoInstant } from '@parcelway/kernel/clock';
import type { BenchEvent } from './sides/side.ts';

/** An event as the forecast service publishes it on the log. */
export function weighedMessage({ id, tenantId, forecastNo, poNumber }: BenchEvent): EncodedMessage {
  const time = Date.now();
  const data = { forecast_no: forecastNo, po_number: poNumber, status: 3, weighed_at: isoInstant(time) };
  const head = { type: 'parcel.weighed', publisher: 'forecast', environment: 'sandbox' } as const;
  return encodeEvent(createDomainEvent({ ...head, id, tenantId, subject: forecastNo, time, data }));
}
