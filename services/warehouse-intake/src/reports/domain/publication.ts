import { createDomainEvent, type DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventData, DomainEventType } from '@parcelway/contracts/domain-events';
import { type DirectoryForecast, type IntakeEvent, isMatched, type ReceivedItem } from '../../expected/domain/event.ts';

type TypedData = { [T in DomainEventType]: { readonly type: T; readonly data: DomainEventData<T> } }[DomainEventType];

function countOf(received: readonly ReceivedItem[] | undefined) {
  if (received === undefined) return {};
  return { received_items: received.map(({ skuCode, quantity }) => ({ sku_code: skuCode, quantity })) };
}

function typedData(event: IntakeEvent, forecastNo: string): TypedData {
  const common = {
    event_id: event.eventId,
    forecast_no: forecastNo,
    warehouse_code: event.warehouseCode,
    express_no: event.expressNo,
    occurred_at: event.occurredAt,
    ...(isMatched(event, forecastNo) && { matched: true as const }),
  };
  const { detail } = event;
  switch (detail.type) {
    case 'arrival':
      return { type: 'warehouse.arrived', data: { ...common, ...countOf(detail.receivedItems) } };
    case 'processing':
      return { type: 'warehouse.processed', data: { ...common, ...countOf(detail.receivedItems) } };
    case 'put_away':
      return { type: 'warehouse.put-away', data: { ...common, ...countOf(detail.receivedItems) } };
    case 'exception': {
      const { reason, text, photos } = detail;
      return { type: 'warehouse.exception', data: { ...common, reason, text, photos: [...photos] } };
    }
    case 'hold':
      return { type: 'warehouse.held', data: { ...common, reason: detail.reason } };
    case 'release':
      return { type: 'warehouse.released', data: common };
    case 'weighing':
      return {
        type: 'warehouse.weighed',
        data: {
          ...common,
          length_cm: detail.lengthCm,
          width_cm: detail.widthCm,
          height_cm: detail.heightCm,
          weight_kg: detail.weightKg,
          photos: [...detail.photos],
        },
      };
    case 'photo':
      return {
        type: 'warehouse.photographed',
        data: { ...common, photo: detail.photo, image_type: detail.imageType, image_order: detail.imageOrder },
      };
    case 'dispatch':
      return {
        type: 'warehouse.dispatched',
        data: {
          ...common,
          carrier_code: detail.carrierCode,
          tracking_number: detail.trackingNumber,
          ...(detail.sealedDetails !== undefined && { sealed_details: detail.sealedDetails }),
        },
      };
  }
}

export interface Occasion {
  /** Of the domain event. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** `traceparent` of what causes it: the report, or whatever released an event that waited. Undefined when nothing is known to. */
  readonly traceparent: string | undefined;
}

/**
 * The domain event that publishes a matched event. Tenant and environment come from the directory, never from the
 * warehouse.
 */
export function publicationOf(event: IntakeEvent, forecast: DirectoryForecast, { id, now, traceparent }: Occasion): DomainEvent {
  return createDomainEvent({
    ...typedData(event, forecast.forecastNo),
    id,
    publisher: 'warehouse-intake',
    tenantId: forecast.tenantId,
    environment: forecast.environment,
    subject: forecast.forecastNo,
    time: now,
    traceparent,
  });
}
