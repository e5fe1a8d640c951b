import { randomUUID } from 'node:crypto';
import type { UploadedPhoto } from '@parcelway/contracts/file-api';
import type { EventOutcome, ResolutionResult } from '@parcelway/contracts/unclaimed-api';
import type { IntakeResult } from '@parcelway/contracts/warehouse-api';
import type { WarehouseForecastDetail, WarehouseLookup } from '@parcelway/contracts/warehouse-view-api';
import type { ApiClient, ApiResponse } from './api-client.ts';
import { untilRead } from './merchant.ts';
import { callRoute, expectRoute, uploadRoute } from './route-call.ts';
import { samplePng } from './sample-data.ts';

/** An event without what every event has. */
export type EventDetails = Readonly<Record<string, unknown>> & { readonly type: string };

/** A warehouse as the intake knows it: one key, one code. */
export class WarehouseClerk {
  readonly client: ApiClient;
  readonly code: string;

  constructor(client: ApiClient, code: string) {
    this.client = client;
    this.code = code;
  }

  /** A whole event: id, time and warehouse filled in unless given. */
  event(details: EventDetails): Record<string, unknown> {
    return { event_id: `we-${randomUUID()}`, occurred_at: new Date().toISOString(), warehouse_code: this.code, ...details };
  }

  /** A whole weighing of a parcel of 30 × 20 × 10 cm and 1.25 kg. */
  weighing(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return this.event({ type: 'weighing', length_cm: 30, width_cm: 20, height_cm: 10, weight_kg: 1.25, ...details });
  }

  /** A whole exception: a damaged parcel. */
  exception(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return this.event({ type: 'exception', reason: 'damaged', ...details });
  }

  /** Sends a body to the intake as it is. */
  post(body: unknown): Promise<ApiResponse<IntakeResult>> {
    return callRoute<IntakeResult>(this.client, 'reportEvents', { body });
  }

  /** Reports events that have to be taken, new ones or repeats. @throws Error when one is rejected */
  async report(...events: readonly Record<string, unknown>[]): Promise<IntakeResult> {
    const body = events.length === 1 ? events[0] : { events };
    const result = await expectRoute<IntakeResult>(this.client, 'reportEvents', { body });
    if (result.rejected.length > 0) throw new Error(`Events were rejected: ${JSON.stringify(result.rejected)}`);
    return result;
  }

  /** What became of an event. @throws Error when it is not known */
  outcome(event_id: unknown): Promise<EventOutcome> {
    return expectRoute<EventOutcome>(this.client, 'getEventOutcome', { path: { event_id: String(event_id) } });
  }

  /** A forecast as the warehouse reads it. @throws Error when it is not known at the warehouse */
  forecast(forecast_no: string): Promise<WarehouseForecastDetail> {
    return expectRoute<WarehouseForecastDetail>(this.client, 'getWarehouseForecast', { path: { forecast_no } });
  }

  /** Waits until the warehouse reads a forecast that `matches`. @param what names it for the error */
  untilForecast(
    forecastNo: string,
    matches: (forecast: WarehouseForecastDetail) => boolean = () => true,
    what = 'its warehouse',
    within?: number,
  ): Promise<WarehouseForecastDetail> {
    const options = { what: `forecast ${forecastNo} to have ${what}, as ${this.code} sees it`, ...(within !== undefined && { within }) };
    return untilRead(() => this.forecast(forecastNo), matches, options);
  }

  /** What a scan leads to. */
  lookUp(scan: string): Promise<WarehouseLookup> {
    return expectRoute<WarehouseLookup>(this.client, 'lookUpScan', { query: { scan } });
  }

  /** Claims what waits under the number of an event for a forecast. */
  claim(id: unknown, forecast_no: string): Promise<ApiResponse<ResolutionResult>> {
    return callRoute<ResolutionResult>(this.client, 'claimUnclaimed', { path: { id: String(id) }, body: { forecast_no } });
  }

  /** Dismisses what waits under the number of an event. */
  dismiss(id: unknown, reason: string): Promise<ApiResponse<ResolutionResult>> {
    return callRoute<ResolutionResult>(this.client, 'dismissUnclaimed', { path: { id: String(id) }, body: { reason } });
  }

  /** Uploads a photo; the response is held against the contract. */
  upload(name: string, content: Uint8Array, type = 'image/png'): Promise<ApiResponse<UploadedPhoto>> {
    return uploadRoute(this.client, 'uploadPhoto', name, content, type);
  }

  /** Uploads a sample photo. @throws Error when it is refused */
  async photo(mark: string = randomUUID()): Promise<UploadedPhoto> {
    const response = await this.upload('photo.png', samplePng(mark));
    if (response.code !== '0') throw new Error(`The photo was refused: ${response.text}`);
    return response.data;
  }
}
