import { defineCollection } from '@parcelway/mongo/mongo-collection';
import { byTenant } from '@parcelway/mongo/mongo-sharding';
import { Schema } from 'mongoose';

/** That a forecast uses a PDF. */
export interface FileUseDocument {
  readonly tenant_id: string;
  readonly token: string;
  readonly forecast_no: string;
}

const text = { type: String, required: true };
const useSchema = new Schema({ tenant_id: text, token: text, forecast_no: text });
useSchema.index({ tenant_id: 1, token: 1, forecast_no: 1 }, { name: 'use', unique: true });
useSchema.index({ tenant_id: 1, forecast_no: 1, token: 1 }, { name: 'by_forecast' });

/** Which forecasts use which PDFs. */
export const fileUses = defineCollection<FileUseDocument>('file_uses', useSchema, { sharding: byTenant });

/** That a photo was reported of a forecast. */
export interface PhotoUseDocument {
  readonly tenant_id: string;
  readonly forecast_no: string;
  readonly token: string;
}

const photoUseSchema = new Schema({ tenant_id: text, forecast_no: text, token: text });
photoUseSchema.index({ tenant_id: 1, forecast_no: 1, token: 1 }, { name: 'use', unique: true });
// Not by tenant: a photo belongs to its warehouse, and may have been reported of forecasts of several tenants.
photoUseSchema.index({ token: 1, tenant_id: 1 }, { name: 'by_token' });

/** Which photos were reported of which forecasts. */
export const photoUses = defineCollection<PhotoUseDocument>('photo_uses', photoUseSchema, { sharding: byTenant });

/** A forecast that was deleted a moment ago: a link of a photo to it may be on its way. */
export interface DeletedForecastDocument {
  readonly tenant_id: string;
  readonly forecast_no: string;
  /** Epoch milliseconds. */
  readonly deleted_at: number;
}

const deletedSchema = new Schema({ tenant_id: text, forecast_no: text, deleted_at: { type: Number, required: true } });
deletedSchema.index({ tenant_id: 1, forecast_no: 1 }, { name: 'forecast', unique: true });
// Over all tenants: forgetting is the platform's own work.
deletedSchema.index({ deleted_at: 1 }, { name: 'by_time' });

/** Forecasts that were deleted in the last days. */
export const deletedForecasts = defineCollection<DeletedForecastDocument>('deleted_forecasts', deletedSchema, { sharding: byTenant });

/** From when on uploads are known by their uses; the only document has the id {@link SINCE}. */
export interface UsesSinceDocument {
  readonly _id: string;
  /** Epoch milliseconds. */
  readonly uploaded_at: number;
}

export const SINCE = 'since';

/** Since when uses are noted. */
export const fileUsesSince = defineCollection<UsesSinceDocument>(
  'file_uses_since',
  new Schema({ _id: text, uploaded_at: { type: Number, required: true } }),
  { sharding: { unsharded: 'one document' } },
);
