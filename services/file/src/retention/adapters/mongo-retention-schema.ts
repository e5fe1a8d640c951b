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

/** Which forecasts use which PDFs. */
export const fileUses = defineCollection<FileUseDocument>('file_uses', useSchema, { sharding: byTenant });

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
