import { createDomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventData } from '@parcelway/contracts/domain-events';
import { type EncodedMessage, encodeEvent } from '@parcelway/contracts/encode-event';
import type { Environment } from '@parcelway/contracts/environment';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Notice } from './domain/advance.ts';
import type { ForecastRecord } from './domain/forecast.ts';

/** Where an event comes from. */
export interface Origin {
  readonly environment: Environment;
  /** `traceparent` of what caused it, when that is known. */
  readonly traceparent: string | undefined;
}

type Told = 'forecast.accepted' | 'forecast.cancelled' | 'forecast.dispatched' | 'parcel.weighed';
type Subject = Pick<ForecastRecord, 'tenantId' | 'forecastNo' | 'poNumber'>;

function message<T extends Told>(origin: Origin, forecast: Subject, now: number, type: T, data: DomainEventData<T>): EncodedMessage {
  const { tenantId, forecastNo } = forecast;
  const { environment, traceparent } = origin;
  return encodeEvent(
    createDomainEvent({ type, publisher: 'forecast', tenantId, environment, subject: forecastNo, time: now, traceparent, data }),
  );
}

/** `data` of `forecast.accepted`; also what the internal look-up answers. */
export function acceptedData(
  forecast: Pick<ForecastRecord, 'forecastNo' | 'poNumber' | 'forecastId' | 'forecastType' | 'warehouseCode' | 'createdAt'>,
  trackingNumbers: readonly string[],
): DomainEventData<'forecast.accepted'> {
  return {
    forecast_no: forecast.forecastNo,
    po_number: forecast.poNumber,
    forecast_id: forecast.forecastId,
    forecast_type: forecast.forecastType,
    warehouse_code: forecast.warehouseCode,
    tracking_numbers: [...trackingNumbers],
    accepted_at: isoInstant(forecast.createdAt),
  };
}

/** The message that a forecast was accepted. */
export function acceptedMessage(
  origin: Origin,
  forecast: Parameters<typeof acceptedData>[0] & Subject,
  trackingNumbers: readonly string[],
): EncodedMessage {
  return message(origin, forecast, forecast.createdAt, 'forecast.accepted', acceptedData(forecast, trackingNumbers));
}

/** The message that a forecast was cancelled. `now`: epoch milliseconds. */
export function cancelledMessage(origin: Origin, forecast: Subject, now: number): EncodedMessage {
  const { forecastNo, poNumber } = forecast;
  const data = { forecast_no: forecastNo, po_number: poNumber, cancelled_at: isoInstant(now) };
  return message(origin, forecast, now, 'forecast.cancelled', data);
}

/** The message of a notice. `now`: epoch milliseconds. */
export function noticeMessage(origin: Origin, forecast: Subject, notice: Notice, now: number): EncodedMessage {
  const subject = { forecast_no: forecast.forecastNo, po_number: forecast.poNumber };
  if (notice.kind === 'weighed') {
    const data = { ...subject, status: notice.status, weighed_at: notice.weighedAt };
    return message(origin, forecast, now, 'parcel.weighed', data);
  }
  const { carrierCode, trackingNumber, dispatchedAt } = notice.dispatch;
  const data = { ...subject, carrier_code: carrierCode, tracking_number: trackingNumber, dispatched_at: dispatchedAt };
  return message(origin, forecast, now, 'forecast.dispatched', data);
}
