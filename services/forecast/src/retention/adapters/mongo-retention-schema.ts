import { defineCollection } from '@parcelway/mongo/mongo-collection';
import { indexOutbox, type OutboxFields, outboxFields } from '@parcelway/mongo/mongo-outbox-fields';
import { Schema } from 'mongoose';

/**
 * How far the forecasts of a tenant have expired; `_id` is its id. Carries the messages of deleted forecasts until they are published: they have no
 * document of their own any more.
 */
export interface ExpiryDocument extends OutboxFields {
  readonly _id: string;
  /** Up to where files have expired; absent until some have. */
  readonly files_to?: { readonly ended_at: number; readonly forecast_id: number };
  /** Numbers of forecasts before it whose files could not be ended; absent until there were some. */
  readonly files_skipped?: readonly string[];
}

const expirySchema = new Schema({
  _id: { type: String, required: true },
  files_to: {
    type: new Schema({ ended_at: { type: Number, required: true }, forecast_id: { type: Number, required: true } }, { _id: false }),
    default: undefined,
  },
  files_skipped: { type: [String], default: undefined },
  ...outboxFields,
});
indexOutbox(expirySchema);

/** How far forecasts have expired. */
export const forecastExpiries = defineCollection<ExpiryDocument>('forecast_expiries', expirySchema, {
  sharding: { unsharded: 'one document for each tenant' },
});
