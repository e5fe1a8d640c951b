import { randomUUID } from 'node:crypto';
import type { UploadedFile, UploadedPhoto } from '@parcelway/contracts/file-api';
import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import type { ForecastAcceptance } from '@parcelway/contracts/forecast-submission-api';
import type { IntakeResult } from '@parcelway/contracts/warehouse-api';
import type { ApiClient, ApiResponse } from '@parcelway/harness/api-client';
import type { PlatformProcess } from '@parcelway/harness/platform-process';
import { samplePdf, sampleSubmission } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import { arrivalIdOf, CORRECTIONS, DISMISSED_BECAUSE, type Ledger, type LedgerEntry } from './ledger.ts';

/** PNG signature and some bytes: enough for the signature check, distinct per mark. */
function samplePhoto(mark: string): Buffer {
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from(mark.repeat(20))]);
}

function assertAccepted(response: ApiResponse<unknown>, what: string): void {
  // 5xx and 429 may be tried again; anything else is a refusal of a request that is known to be good.
  if (response.status >= 500 || response.status === 429) throw new Error(`${what}: ${response.status}`);
  if (response.code !== '0') throw new UnexpectedRefusal(`${what} responded with ${response.text}`);
}

/** A good request was refused for good: a finding, not a consequence of a kill. */
export class UnexpectedRefusal extends Error {}

/** Clients of the platform; calls and uploads are all that they do. */
type Client = Pick<ApiClient, 'call' | 'upload'>;
type Merchant = Client & Pick<ApiClient, 'baseUrl' | 'fetchBytes'>;

/** So many items with long names are larger than an event. */
const LARGE_ITEMS = 180;
const LONG_NAME = '货'.repeat(500);

function submissionOf({ poNumber, labelUrl, isLarge }: LedgerEntry, warehouseCode: string): Record<string, unknown> {
  const files = labelUrl === undefined ? {} : { shippingLabel: labelUrl, shippingNote: labelUrl };
  const body = sampleSubmission({ poNumber, warehouseCode, ...files, items: isLarge ? LARGE_ITEMS : 1 });
  if (!isLarge) return body;
  return { ...body, items: (body.items as object[]).map((item) => ({ ...item, product_name_cn: LONG_NAME })) };
}

async function submit(entry: LedgerEntry, ledger: Ledger, merchant: Client, warehouseCode: string): Promise<void> {
  // A key of its own for each attempt: the key of one that was killed is free again only after a minute.
  const headers = { 'idempotency-key': randomUUID() };
  const body = submissionOf(entry, warehouseCode);
  const accepted = await merchant.call<ForecastAcceptance & { readonly fields?: readonly string[] }>('/open/v1/forecasts', {
    body,
    headers,
  });
  // What was restored may have corrections of a forecast that is submitted again.
  const corrected = CORRECTIONS.slice(0, entry.correctionsSent).flatMap((correction) => Object.keys(correction));
  const isCorrected = accepted.code === '40901' && accepted.data.fields?.every((field) => corrected.includes(field));
  if (!isCorrected) assertAccepted(accepted, 'submission');
  ledger.acknowledgeForecast(entry, accepted.data.forecast_no);
}

async function correct(entry: LedgerEntry, merchant: Client): Promise<void> {
  for (let next = entry.correctionsAcknowledged; next < CORRECTIONS.length; next += 1) {
    entry.correctionsSent = Math.max(entry.correctionsSent, next + 1);
    const corrected = await merchant.call(`/open/v1/forecasts/${entry.poNumber}`, { method: 'PATCH', body: CORRECTIONS[next] });
    assertAccepted(corrected, 'correction');
    entry.correctionsAcknowledged = next + 1;
  }
}

/** Opens the product label of the current version, which is rendered for it. */
async function openLabel({ poNumber }: LedgerEntry, merchant: Merchant): Promise<void> {
  const { data } = await merchant.call<ForecastDetail>(`/open/v1/forecasts/${poNumber}`);
  const { status } = await merchant.fetchBytes(`${merchant.baseUrl}${new URL(data.marketplace_label).pathname}`);
  if (status !== 200) throw new Error(`product label: ${status}`);
}

async function report(events: readonly object[], warehouse: Client): Promise<void> {
  const result = await warehouse.call<IntakeResult>('/warehouse/v1/events', { body: { events } });
  assertAccepted(result, 'report');
  if (result.data.rejected.length > 0) throw new UnexpectedRefusal(`report rejected: ${result.text}`);
}

/** An event of a warehouse, which happened now. */
export const eventOf = (type: string, event_id: string, warehouse_code: string): object => ({
  event_id,
  type,
  occurred_at: new Date().toISOString(),
  warehouse_code,
});

/** Reports a parcel that nobody expects, and dismisses it. */
async function dismiss(entry: LedgerEntry, eventId: string, warehouse: Client, warehouseCode: string): Promise<void> {
  await report([{ ...eventOf('arrival', eventId, warehouseCode), express_no: eventId }], warehouse);
  const path = `/warehouse/v1/unclaimed/${eventId}/dismiss`;
  assertAccepted(await warehouse.call(path, { body: { reason: DISMISSED_BECAUSE } }), 'dismissal');
  entry.dismissalAcknowledged = true;
}

/** Reports the weighing: by the number of the forecast, or, after the arrival, by one that nobody declares, and then it is claimed. */
async function weigh(entry: LedgerEntry, warehouse: Client, warehouseCode: string): Promise<void> {
  const measures = { length_cm: 30, width_cm: 20, height_cm: 10, weight_kg: entry.weightKg, photo_ids: [entry.photoId] };
  const weighing = { ...eventOf('weighing', entry.eventId, warehouseCode), ...measures };
  if (entry.strayNumber === undefined) {
    await report([{ ...weighing, forecast_no: entry.forecastNo }], warehouse);
  } else {
    const arrival = eventOf('arrival', arrivalIdOf(entry), warehouseCode);
    const express_no = entry.strayNumber;
    await report(
      [arrival, weighing].map((event) => ({ ...event, express_no })),
      warehouse,
    );
    assertAccepted(await claim(entry, warehouse), 'claim');
  }
  entry.weighingAcknowledged = true;
}

/** Takes one parcel as far as possible; what was acknowledged before is not repeated, what was not is sent again. */
export async function advance(
  entry: LedgerEntry,
  ledger: Ledger,
  merchant: Merchant,
  warehouse: Client,
  warehouseCode: string,
): Promise<void> {
  if (entry.labelUrl === undefined) {
    const label = await merchant.upload<UploadedFile>('/open/v1/files/pdf', 'label.pdf', samplePdf(entry.poNumber));
    assertAccepted(label, 'upload');
    entry.labelUrl = label.data.url;
  }
  if (entry.forecastNo === undefined) await submit(entry, ledger, merchant, warehouseCode);
  await correct(entry, merchant);
  await openLabel(entry, merchant);
  if (entry.dismissedEventId !== undefined && !entry.dismissalAcknowledged)
    await dismiss(entry, entry.dismissedEventId, warehouse, warehouseCode);
  if (entry.photoId === undefined) {
    const photo = await warehouse.upload<UploadedPhoto>('/warehouse/v1/photos', 'photo.png', samplePhoto(entry.poNumber), 'image/png');
    assertAccepted(photo, 'photo');
    entry.photoId = photo.data.photo_id;
  }
  if (!entry.weighingAcknowledged) await weigh(entry, warehouse, warehouseCode);
}

/** Claims the events for the forecast, as soon as the intake knows the forecast. @returns the response of that claim */
export async function claim(entry: LedgerEntry, warehouse: Pick<ApiClient, 'call'>): Promise<ApiResponse<unknown>> {
  const path = `/warehouse/v1/unclaimed/${entry.eventId}/claim`;
  const given = await until(async () => {
    // A platform that is gone ends the wait.
    const [outcome] = await Promise.allSettled([warehouse.call(path, { body: { forecast_no: entry.forecastNo } })]);
    return outcome.status === 'fulfilled' && outcome.value.code === '40403' ? undefined : outcome;
  });
  if (given.status === 'rejected') throw given.reason;
  return given.value;
}

/** A parcel to be taken through, with an entry in the ledger. Of four, two are claimed, and one comes with a parcel that is dismissed. */
export function newEntry(ledger: Ledger, isLarge = false): LedgerEntry {
  const number = ledger.entries.size + 1;
  const entry: LedgerEntry = {
    poNumber: `PO-${number}-${randomUUID().slice(0, 8)}`,
    weightKg: number / 1000,
    eventId: `we-${randomUUID()}`,
    ...(number % 2 === 0 && { strayNumber: `STRAY-${number}-${randomUUID().slice(0, 8)}` }),
    ...(number % 4 === 1 && { dismissedEventId: `LOST-${randomUUID()}` }),
    ...(isLarge && { isLarge }),
    correctionsSent: 0,
    correctionsAcknowledged: 0,
  };
  ledger.entries.set(entry.poNumber, entry);
  return entry;
}

function isOpen(entry: LedgerEntry): boolean {
  return !entry.weighingAcknowledged;
}

/** How much load is put on. */
export interface LoadOptions {
  readonly workers: number;
  /** Parcels begun at most, those left over from before not counted. */
  readonly parcels: number;
  /** As many of them have items that are too large for an event; default none. */
  readonly large?: number;
}

/**
 * Several clients take parcels through a platform until the parcels are through or the platform ends. Parcels that an
 * earlier end interrupted are taken up again first, exactly as a client repeats what was not acknowledged.
 * @throws UnexpectedRefusal
 */
export async function putLoad(platform: PlatformProcess, ledger: Ledger, options: LoadOptions): Promise<void> {
  const merchant = platform.client();
  const warehouse = platform.client(platform.quickstart.warehouse.api_key);
  const queue = [...ledger.entries.values()].filter(isOpen);
  for (let index = 0; index < options.parcels; index += 1) queue.push(newEntry(ledger, index < (options.large ?? 0)));
  let refusal: UnexpectedRefusal | undefined;
  const work = async (): Promise<void> => {
    while (platform.running && !refusal) {
      const entry = queue.shift();
      if (!entry) return;
      try {
        await advance(entry, ledger, merchant, warehouse, platform.quickstart.warehouse.code);
      } catch (error) {
        if (error instanceof UnexpectedRefusal) refusal = error;
        // Any other failure means the platform is going or gone: the parcel stays open for the next time.
      }
    }
  };
  await Promise.all(Array.from({ length: options.workers }, work));
  await Promise.all([merchant.close(), warehouse.close()]);
  if (refusal) throw refusal;
}
