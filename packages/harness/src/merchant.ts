import { randomInt } from 'node:crypto';
import type { UploadedFile, UploadedImage } from '@parcelway/contracts/file-api';
import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import type { CorrectedForecast } from '@parcelway/contracts/forecast-correction-api';
import type { ForecastAcceptance } from '@parcelway/contracts/forecast-submission-api';
import type { Simulation } from '@parcelway/contracts/sandbox-api';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import type { EndpointCreation, WebhookEndpointWithSecret } from '@parcelway/contracts/webhook-endpoint-api';
import type { WeighingData } from '@parcelway/contracts/weighing-api';
import { type UntilOptions, until } from '@parcelway/kernel/testing/until';
import type { ApiClient, ApiResponse } from './api-client.ts';
import { callRoute, expectRoute, uploadRoute } from './route-call.ts';
import { type SampleForecast, samplePdf, sampleSubmission } from './sample-data.ts';

/** What identifies a merchant. */
export interface MerchantIdentity {
  readonly tenantId: string;
  readonly keyId: string;
  readonly key: string;
  /** A warehouse that its forecasts go to. */
  readonly warehouseCode: string;
}

/** Digits that distinguish the numbers of this file from those of the others which use the same platform. */
const series = randomInt(10_000_000, 100_000_000);
let counter = 0;

/** A po_number that no other call gives, also in another process or in another test file of this one. */
export function newPoNumber(prefix = 'PO'): string {
  counter += 1;
  return `${prefix}-${series}-${counter}`;
}

/** Reads again and again until what is read `matches`. */
export async function untilRead<T>(read: () => Promise<T>, matches: (value: T) => boolean, options: UntilOptions): Promise<T> {
  const { value } = await until(async () => {
    const found = await read();
    return matches(found) && { value: found };
  }, options);
  return value;
}

/** A merchant as the API knows it: one key, calls held against the contract. */
export class Merchant {
  readonly client: ApiClient;
  readonly identity: MerchantIdentity;
  #files: Promise<{ label: string; note: string }> | undefined;

  constructor(client: ApiClient, identity: MerchantIdentity) {
    this.client = client;
    this.identity = identity;
  }

  /** Uploads a PDF; the response is held against the contract. */
  upload(name: string, content: Uint8Array): Promise<ApiResponse<UploadedFile>> {
    return uploadRoute(this.client, 'uploadPdf', name, content);
  }

  /** Uploads an image; the response is held against the contract. */
  uploadImage(name: string, content: Uint8Array): Promise<ApiResponse<UploadedImage>> {
    return uploadRoute(this.client, 'uploadImage', name, content, 'image/png');
  }

  /** A label and a packing list of this merchant, uploaded once. */
  files(): Promise<{ label: string; note: string }> {
    this.#files ??= Promise.all(
      ['label', 'note'].map((name) => this.upload(`${name}.pdf`, samplePdf(`${name} of ${this.identity.tenantId}`))),
    ).then(([label, note]) => ({ label: String(label?.data.url), note: String(note?.data.url) }));
    return this.#files;
  }

  /** The body of a good submission, type 2 unless `forecastType` says otherwise. */
  async body(sample: Partial<SampleForecast> = {}): Promise<Record<string, unknown>> {
    const type = sample.forecastType ?? 2;
    const files = type === 2 ? await this.files() : undefined;
    return sampleSubmission({
      poNumber: sample.poNumber ?? newPoNumber(),
      warehouseCode: this.identity.warehouseCode,
      ...(files ? { shippingLabel: files.label, shippingNote: files.note } : {}),
      ...sample,
      forecastType: type,
    });
  }

  /** Submits a body as it is. */
  submitBody(body: unknown): Promise<ApiResponse<ForecastAcceptance>> {
    return callRoute<ForecastAcceptance>(this.client, 'submitForecast', { body });
  }

  /** Submits a good forecast. @throws Error when it is refused */
  async submit(sample: Partial<SampleForecast> = {}): Promise<ForecastAcceptance> {
    return expectRoute<ForecastAcceptance>(this.client, 'submitForecast', { body: await this.body(sample) });
  }

  forecast(poNumber: string): Promise<ForecastDetail> {
    return expectRoute<ForecastDetail>(this.client, 'getForecast', { path: { po_number: poNumber } });
  }

  /** Corrects a forecast. @param headers such as `if-match` */
  correct(poNumber: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<ApiResponse<CorrectedForecast>> {
    return callRoute<CorrectedForecast>(this.client, 'correctForecast', { path: { po_number: poNumber }, body, headers });
  }

  weighing(poNumber: string): Promise<WeighingData> {
    return expectRoute<WeighingData>(this.client, 'queryWeighing', { query: { po_number: poNumber } });
  }

  tracking(poNumber: string): Promise<TrackingResult> {
    return expectRoute<TrackingResult>(this.client, 'queryTracking', { query: { po_number: poNumber } });
  }

  cancel(poNumber: string): Promise<ApiResponse> {
    return callRoute(this.client, 'cancelForecast', { path: { po_number: poNumber } });
  }

  /** Plays the warehouse or the carrier; sandbox only. */
  simulate(simulation: Simulation): Promise<Record<string, unknown>> {
    return expectRoute(this.client, 'simulate', { body: simulation });
  }

  createEndpoint(creation: EndpointCreation): Promise<WebhookEndpointWithSecret> {
    return expectRoute<WebhookEndpointWithSecret>(this.client, 'createEndpoint', { body: creation });
  }

  /** Submits a body until it is accepted: a warehouse that was added a moment ago is known to all services within a second. */
  untilAccepted(body: unknown): Promise<ForecastAcceptance> {
    return until(
      async () => {
        const { code, data, text } = await this.submitBody(body);
        if (code !== '0') throw new Error(text);
        return data;
      },
      { what: 'a forecast to be accepted' },
    );
  }

  /** Waits until a forecast has a status, by reading it. */
  untilStatus(poNumber: string, status: number, within = 10_000): Promise<ForecastDetail> {
    return this.untilForecast(poNumber, (forecast) => forecast.status === status, `status ${status}`, within);
  }

  /** Waits until a forecast shows what `matches`, by reading it. @param what names it for the error */
  untilForecast(poNumber: string, matches: (forecast: ForecastDetail) => boolean, what: string, within = 10_000): Promise<ForecastDetail> {
    return untilRead(() => this.forecast(poNumber), matches, { within, what: `forecast ${poNumber} to have ${what}` });
  }

  /** Waits until the tracking query shows what `matches`. @param what names it for the error */
  untilTracking(poNumber: string, matches: (tracking: TrackingResult) => boolean, what: string, within = 10_000): Promise<TrackingResult> {
    return untilRead(() => this.tracking(poNumber), matches, { within, what: `the tracking of ${poNumber} to show ${what}` });
  }

  /** Waits until the parcel counts as dispatched in the tracking query. */
  untilShipped(poNumber: string, within?: number): Promise<TrackingResult> {
    return this.untilTracking(poNumber, ({ is_shipped }) => is_shipped, 'the dispatch', within);
  }

  /** Waits until the weighing query shows what `matches`. */
  untilWeighing(poNumber: string, matches: (data: WeighingData) => boolean, within = 10_000): Promise<WeighingData> {
    return untilRead(() => this.weighing(poNumber), matches, { within, what: `the weighing of ${poNumber}` });
  }
}
