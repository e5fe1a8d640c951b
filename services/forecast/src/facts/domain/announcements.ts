import { type DomainEventData, MAX_HOLDS_IN_EVENT } from '@parcelway/contracts/domain-events';
import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import { isoInstant } from '@parcelway/kernel/clock';
import { isNewDispatch } from '../../store/domain/dispatches.ts';
import type { Fact } from '../../store/domain/fact.ts';
import type { ForecastRecord, Progress } from '../../store/domain/forecast.ts';
import { holdsOf, isOnHold } from '../../store/domain/holds.ts';
import type { ForecastMessage } from '../../store/domain/messages.ts';

type State = Pick<ForecastRecord, 'status' | 'progress'>;

/** What holds of a forecast, latest first. */
function holdingData({ holdFacts = [], holdReports = 0 }: Progress) {
  const holds = holdsOf(holdFacts);
  return {
    hold_reports: holdReports,
    on_hold: isOnHold(holds),
    holds: holds.slice(0, MAX_HOLDS_IN_EVENT),
  };
}

/**
 * The messages to others when a fact has been recorded. Every report of the warehouse is announced, also one that comes late or belongs to a cancelled
 * forecast; a dispatch when it changes carrier or number; the completion by the fact that completes.
 * @param now epoch milliseconds
 */
export function announcements(
  { forecastNo, poNumber }: Pick<ForecastRecord, 'forecastNo' | 'poNumber'>,
  fact: Fact,
  change: { readonly before: State; readonly after: State },
  now: number,
): ForecastMessage[] {
  const { before, after } = change;
  const subject = { forecast_no: forecastNo, po_number: poNumber, status: after.status };
  const messages = 'report' in fact ? ofReport(fact, subject, before.progress, after.progress, now) : [];
  // Once, by the fact that completes.
  if (after.status === before.status || after.status !== forecastStatuses.COMPLETED) return messages;
  const reason = fact.step === 'tracking.ended' ? 'tracking_ended' : 'put_away';
  return [...messages, { type: 'parcel.completed', time: now, data: { ...subject, reason, completed_at: isoInstant(now) } }];
}

type Reported = Extract<Fact, { readonly report: unknown }>;
type Subject = { readonly forecast_no: string; readonly po_number: string; readonly status: ForecastStatus };

function ofReport(fact: Reported, subject: Subject, before: Progress, after: Progress, now: number): ForecastMessage[] {
  const { warehouse_code, occurred_at } = fact.report;
  const reported = { ...subject, warehouse_code, occurred_at };
  const message = <T extends ForecastMessage['type']>(type: T, data: DomainEventData<T>): ForecastMessage[] => [{ type, data, time: now }];
  switch (fact.step) {
    case 'warehouse.arrived':
      return message('parcel.arrived', reported);
    case 'warehouse.weighed':
      return message('parcel.weighed', { ...subject, weighed_at: fact.measurement.weighed_at });
    case 'warehouse.photographed': {
      const { image_type, image_order, image_url } = fact.photo;
      return message('parcel.photographed', { ...reported, image_type, image_order, image_url });
    }
    case 'warehouse.processed':
      return message('parcel.processed', reported);
    case 'warehouse.put-away': {
      const { receivedItems } = fact;
      return message('parcel.put_away', { ...reported, ...(receivedItems && { received_items: [...receivedItems] }) });
    }
    case 'warehouse.exception': {
      const { reason, text, photos } = fact.exception;
      return message('parcel.exception', { ...reported, reason, text, photos });
    }
    case 'warehouse.held':
      return message('parcel.held', { ...reported, reason: fact.reason, ...holdingData(after) });
    case 'warehouse.released':
      return message('parcel.released', { ...reported, ...holdingData(after) });
    case 'warehouse.dispatched': {
      const { dispatch, sealedDetails } = fact;
      if (!isNewDispatch(before, after, dispatch)) return [];
      return message('forecast.dispatched', {
        ...subject,
        ...dispatch,
        ...(sealedDetails !== undefined && { sealed_details: sealedDetails }),
      });
    }
  }
}
