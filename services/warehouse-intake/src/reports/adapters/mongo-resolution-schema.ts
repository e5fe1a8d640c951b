import { defineCollection } from '@parcelway/mongo/mongo-collection';
import { byWarehouse } from '@parcelway/mongo/mongo-sharding';
import { Schema } from 'mongoose';
import type { Resolution, WaitingNumber } from '../../expected/domain/resolution.ts';

/** A claim or dismissal as it lies in MongoDB. */
export interface ResolutionDocument {
  /** Rises with the time of storing. */
  readonly _id: string;
  readonly warehouse_code: string;
  /** The event that was named, and the number under which it waited. */
  readonly event_id: string;
  readonly kind: WaitingNumber['kind'];
  readonly number: string;
  readonly action: 'claim' | 'dismiss';
  /** Of a claim. */
  readonly forecast_no?: string;
  /** Of a dismissal. */
  readonly reason?: string;
  /** Epoch milliseconds. */
  readonly resolved_at: number;
  readonly resolved_by: string;
  /** True until all of its events are done: no other resolution of the number begins before. */
  readonly open?: true;
  /** How many events it has ended the waiting of. Absent while it is open. */
  readonly events?: number;
}

/** Names of the indexes, for queries and violations. */
export const resolutionIndexes = { open: 'open', unfinished: 'unfinished', list: 'list', age: 'age' } as const;

const resolutionSchema = new Schema({
  _id: { type: String, required: true },
  warehouse_code: { type: String, required: true },
  event_id: { type: String, required: true },
  kind: { type: String, required: true },
  number: { type: String, required: true },
  action: { type: String, required: true },
  forecast_no: String,
  reason: String,
  resolved_at: { type: Number, required: true },
  resolved_by: { type: String, required: true },
  open: Boolean,
  events: Number,
});

resolutionSchema.index(
  { warehouse_code: 1, kind: 1, number: 1 },
  { name: resolutionIndexes.open, unique: true, partialFilterExpression: { open: true } },
);
resolutionSchema.index({ warehouse_code: 1, _id: 1 }, { name: resolutionIndexes.list });
// The platform's own sweeps: what a crash left unfinished, and the end of the keeping.
resolutionSchema.index({ resolved_at: 1 }, { name: resolutionIndexes.unfinished, partialFilterExpression: { open: true } });
resolutionSchema.index({ resolved_at: 1, _id: 1 }, { name: resolutionIndexes.age });
// Of a forecast, to be copied or deleted with the data of its tenant.
resolutionSchema.index({ forecast_no: 1 }, { name: 'of_forecast', partialFilterExpression: { forecast_no: { $exists: true } } });

/** The audit of claims and dismissals. */
export const resolutions = defineCollection<ResolutionDocument>('resolutions', resolutionSchema, { sharding: byWarehouse });

/** A document in terms of the domain. */
export function resolutionOf(document: ResolutionDocument): Resolution {
  const action =
    document.action === 'claim'
      ? ({ action: 'claim', forecastNo: document.forecast_no ?? '' } as const)
      : ({ action: 'dismiss', reason: document.reason ?? '' } as const);
  return {
    ...action,
    id: document._id,
    warehouseCode: document.warehouse_code,
    eventId: document.event_id,
    resolvedAt: document.resolved_at,
    resolvedBy: document.resolved_by,
    events: document.events ?? 0,
  };
}
