import type { WarehouseCarriers } from '@parcelway/contracts/carrier-api';
import type { UploadedPhoto } from '@parcelway/contracts/file-api';
import type { ResolutionResult, WaitingEventList } from '@parcelway/contracts/unclaimed-api';
import type { IntakeResult, Warehouse, WarehouseEvent } from '@parcelway/contracts/warehouse-api';
import type { WarehouseForecastDetail, WarehouseForecastList, WarehouseLookup } from '@parcelway/contracts/warehouse-view-api';
import { type Client, pathOf } from '@parcelway/page/api/client';
import type { ListQuery } from '../expected/expected-parcels.ts';

/** Milliseconds after which a lookup fails; the bench then uses what the device knows. */
const LOOKUP_DEADLINE_MS = 4000;
/** Milliseconds after which the bench prints or dispatches with what it knows. */
const READ_AGAIN_DEADLINE_MS = 2500;
/** Milliseconds for the upload of a photo over a slow line. */
const UPLOAD_DEADLINE_MS = 60_000;
const PAGE_SIZE = 100;
const UNCLAIMED_PAGE_SIZE = 50;
const FORECAST = '/warehouse/v1/forecasts/{forecast_no}';
/** Checks a key and returns its warehouse. @throws ApiFailure 40003 for a key that opens nothing, 40301 for one of a merchant */
export const readWarehouse = (client: Client) => client.call<Warehouse>('/warehouse/v1/warehouse');

/** What the bench asks the platform. Each call throws ApiFailure. */
export const warehouseCalls = (client: Client) => ({
  lookUp: (scan: string) => client.call<WarehouseLookup>('/warehouse/v1/lookup', { query: { scan }, deadlineMs: LOOKUP_DEADLINE_MS }),

  /** Everything about a forecast; 40403 when it is not for this warehouse any more. */
  read: (forecastNo: string) => client.call<WarehouseForecastDetail>(pathOf(FORECAST, forecastNo), { deadlineMs: LOOKUP_DEADLINE_MS }),

  /** As `read`, with a short deadline: somebody waits. */
  readAgain: (forecastNo: string) =>
    client.call<WarehouseForecastDetail>(pathOf(FORECAST, forecastNo), { deadlineMs: READ_AGAIN_DEADLINE_MS }),

  listUnclaimed: (cursor: string | undefined) =>
    client.call<WaitingEventList>('/warehouse/v1/unclaimed', { query: { cursor, limit: UNCLAIMED_PAGE_SIZE } }),

  /** Claims a parcel for a forecast; 40403, 40902. Safe to repeat. */
  claim: (id: string, forecast_no: string) =>
    client.call<ResolutionResult>(pathOf('/warehouse/v1/unclaimed/{id}/claim', id), { method: 'POST', body: { forecast_no } }),

  /** Dismisses a parcel; 40403, 40902. Safe to repeat. */
  dismiss: (id: string, reason: string) =>
    client.call<ResolutionResult>(pathOf('/warehouse/v1/unclaimed/{id}/dismiss', id), { method: 'POST', body: { reason } }),
});

export type WarehouseCalls = ReturnType<typeof warehouseCalls>;

export const listCarriers = (client: Client) => client.call<WarehouseCarriers>('/warehouse/v1/carriers');

/** A page of expected and present parcels; after the last one, what has changed. */
export const listForecasts = (client: Client, query: ListQuery, signal: AbortSignal) =>
  client.call<WarehouseForecastList>('/warehouse/v1/forecasts', { query: { ...query, limit: PAGE_SIZE }, signal });

const EXTENSIONS: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/webp': 'webp' };

/** The calls that empty the queue. Each throws ApiFailure. */
export const senderCalls = (client: Client) => ({
  /** Uploads a photo. @param id makes a repeat return the first photo_id */
  uploadPhoto: (content: Blob, id: string) => {
    const upload = { content, name: `${id}.${EXTENSIONS[content.type] ?? 'jpg'}` };
    return client.call<Pick<UploadedPhoto, 'photo_id'>>('/warehouse/v1/photos', {
      method: 'POST',
      upload,
      idempotencyKey: id,
      deadlineMs: UPLOAD_DEADLINE_MS,
    });
  },

  report: (events: readonly WarehouseEvent[]) => client.call<IntakeResult>('/warehouse/v1/events', { method: 'POST', body: { events } }),
});

export type SenderCalls = ReturnType<typeof senderCalls>;
