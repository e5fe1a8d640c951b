import { newId } from '@parcelway/kernel/ids';
import type { MongoOutbox } from '@parcelway/mongo/mongo-outbox';
import type { EventDocument } from '../../expected/adapters/mongo-schema.ts';
import type { IntakeEvent } from '../../expected/domain/event.ts';
import { reportKindOf } from '../../expected/domain/parcel-reports.ts';
import type { NewEvent } from '../domain/decide-reports.ts';
import type { TraceOf } from '../domain/trace.ts';
import { messageOf, publishedFields } from './mongo-published-event.ts';

/** The one number by which an event is matched. */
function matchedBy(event: IntakeEvent): Pick<EventDocument, 'forecast_no' | 'scanned_no'> {
  if (event.forecastNo !== null) return { forecast_no: event.forecastNo };
  const number = event.scannedNumber;
  return number === null ? {} : { scanned_no: number };
}

/** What the document of a new event is made with. */
export interface NewDocumentOptions {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Time of its message, see WriteTimes. */
  readonly publishedAt: number;
  readonly trace: TraceOf;
  /** Holds the publication from the write on. */
  readonly outbox: Pick<MongoOutbox, 'holding'>;
}

/** The document of a new event, with its publication if it has a forecast. One that waits is looked at a second time, and says so. */
export function newDocument(insert: NewEvent, { now, publishedAt, trace, outbox }: NewDocumentOptions): EventDocument {
  const { event, text, match, publication } = insert;
  const id = newId('evt');
  const kind = reportKindOf(event);
  const common = {
    _id: id,
    warehouse_code: event.warehouseCode,
    event_id: event.eventId,
    ...matchedBy(event),
    occurred_at: Date.parse(event.occurredAt),
    received_at: now,
    event: text,
    ...(kind !== null && { report_kind: kind }),
  };
  if (publication === undefined) return { ...common, ...('reason' in match && { waiting: match.reason }), unfinished_since: now };
  const message = messageOf(publication, { id, now, traceparent: trace(publication) });
  return { ...common, ...publishedFields(publication, now), ...outbox.holding([message], publishedAt) };
}
