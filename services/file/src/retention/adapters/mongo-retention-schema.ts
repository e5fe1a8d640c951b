import { defineCollection } from '@parcelway/mongo/mongo-collection';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { byTenant } from '@parcelway/mongo/mongo-sharding';
import { Schema } from 'mongoose';

/**
 * That a forecast uses a PDF, until its end. A forecast of which only the version is to be known has a use of the token ''.
 */
export interface FileUseDocument {
  readonly tenant_id: string;
  readonly token: string;
  readonly forecast_no: string;
  readonly po_number?: string;
  /** Names of the fields that name the PDF. */
  readonly fields?: readonly string[];
  /** The version of the forecast that was noted last, the same in all of its uses. */
  readonly version?: number;
  /** True once the forecast does not name the PDF any more. */
  readonly is_former?: boolean;
}

const text = { type: String, required: true };
const useSchema = new Schema({
  tenant_id: text,
  token: { type: String, default: '' },
  forecast_no: text,
  po_number: String,
  fields: { type: [String], default: undefined },
  version: Number,
  is_former: Boolean,
});
useSchema.index({ tenant_id: 1, token: 1, forecast_no: 1 }, { name: 'use', unique: true });
useSchema.index({ tenant_id: 1, forecast_no: 1, token: 1 }, { name: 'by_forecast' });
useSchema.index({ tenant_id: 1, token: 1, is_former: 1, forecast_no: -1 }, { name: 'current' });

/** Which forecasts use which PDFs. */
export const fileUses = defineCollection<FileUseDocument>('file_uses', useSchema, { sharding: byTenant });

/** That a photo was reported of a forecast, or is an image that the tenant has put on it. */
export interface PhotoUseDocument {
  readonly tenant_id: string;
  readonly forecast_no: string;
  readonly token: string;
  /** Of a tenant's own images alone: the revision of the list that named it last. The use of the token '' has the last one that was noted. */
  readonly revision?: number;
}

const photoUseSchema = new Schema({ tenant_id: text, forecast_no: text, token: { type: String, default: '' }, revision: Number });
photoUseSchema.index({ tenant_id: 1, forecast_no: 1, token: 1 }, { name: 'use', unique: true });
// Not by tenant: a photo belongs to its warehouse, and may have been reported of forecasts of several tenants.
photoUseSchema.index({ token: 1, tenant_id: 1 }, { name: 'by_token' });

/** Which photos and own images which forecasts have. */
export const photoUses = defineCollection<PhotoUseDocument>('photo_uses', photoUseSchema, { sharding: byTenant });

/** A forecast that was deleted, or a report that one refused, a moment ago: a link of a photo may be on its way. */
export interface DeletedForecastDocument {
  readonly tenant_id: string;
  /** Of a refused report what `refusedReport` makes of it. */
  readonly forecast_no: string;
  /** Epoch milliseconds. */
  readonly deleted_at: number;
}

const deletedSchema = new Schema({ tenant_id: text, forecast_no: text, deleted_at: { type: Number, required: true } });
deletedSchema.index({ tenant_id: 1, forecast_no: 1 }, { name: 'forecast', unique: true });
// Over all tenants: forgetting is the platform's own work.
deletedSchema.index({ deleted_at: 1 }, { name: 'by_time' });

/** Forecasts that were deleted, and reports that were refused, in the last days. */
export const deletedForecasts = defineCollection<DeletedForecastDocument>('deleted_forecasts', deletedSchema, { sharding: byTenant });

/**
 * True of a forecast that was deleted in the last days: what is recorded of it is over already. Whoever records something looks after that; a deletion
 * writes that it happens, and looks for what was recorded after that. One sees the other.
 * @throws AppError 50301
 */
export async function isDeletedForecast(db: MongoDatabase, tenantId: string, forecastNo: string): Promise<boolean> {
  const forecast = { tenant_id: tenantId, forecast_no: forecastNo };
  const deleted = db.model(deletedForecasts).collection;
  return (await db.run(() => deleted.findOne(forecast, { projection: { _id: 1 } }))) !== null;
}

/** The token of what says which revision of a forecast's own images was noted last. Each forecast with own images has one, so it is never looked up by token. */
export const MARK = '';

/** The tokens of photos, without the marker. */
export function photoTokens(tokens: readonly string[]): readonly string[] {
  return tokens.filter((token) => token !== MARK);
}

/**
 * Photos among these that forecasts have. Reads one use of each, however many forecasts have it.
 * @param others which uses count besides; it may leave out those of one tenant, or the one of one forecast
 */
export async function shownAmong(db: MongoDatabase, tokens: readonly string[], others: object = {}): Promise<ReadonlySet<string>> {
  const uses = db.model(photoUses).collection;
  const shown = new Set<string>();
  for (const token of photoTokens(tokens)) {
    const use = await uses.findOne({ token, ...others }, { projection: { _id: 1 }, hint: 'by_token' });
    if (use !== null) shown.add(token);
  }
  return shown;
}
