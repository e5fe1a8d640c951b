import { randomUUID } from 'node:crypto';
import type { UploadedFile, UploadedPhoto } from '@parcelway/contracts/file-api';
import type { ForecastAcceptance } from '@parcelway/contracts/forecast-api';
import type { IntakeResult } from '@parcelway/contracts/warehouse-api';
import type { Answer, ApiClient } from '@parcelway/harness/api-client';
import type { PlatformProcess } from '@parcelway/harness/platform-process';
import { samplePdf, sampleSubmission } from '@parcelway/harness/sample-data';
import type { Ledger, LedgerEntry } from './ledger.ts';

/** PNG signature and some bytes: enough for the signature check, distinct per mark. */
function samplePhoto(mark: string): Buffer {
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from(mark.repeat(20))]);
}

function assertAccepted(answer: Answer<unknown>, what: string): void {
  // 5xx and 429 may be tried again; anything else is a refusal of a request that is known to be good.
  if (answer.status >= 500 || answer.status === 429) throw new Error(`${what}: ${answer.status}`);
  if (answer.code !== '0') throw new UnexpectedRefusal(`${what} answered ${answer.text}`);
}

/** A good request was refused for good: a finding, not a consequence of a kill. */
export class UnexpectedRefusal extends Error {}

/** Takes one parcel as far as possible; what was acknowledged before is not repeated, what was not is sent again. */
export async function advance(
  entry: LedgerEntry,
  ledger: Ledger,
  merchant: Pick<ApiClient, 'call' | 'upload'>,
  warehouse: Pick<ApiClient, 'call' | 'upload'>,
  warehouseCode: string,
): Promise<void> {
  if (entry.labelUrl === undefined) {
    const label = await merchant.upload<UploadedFile>('/open/v1/files/pdf', 'label.pdf', samplePdf(entry.poNumber));
    assertAccepted(label, 'upload');
    entry.labelUrl = label.data.url;
  }
  if (entry.forecastNo === undefined) {
    const body = sampleSubmission({ poNumber: entry.poNumber, warehouseCode, shippingLabel: entry.labelUrl, shippingNote: entry.labelUrl });
    // A key of its own for each attempt: the key of one that was killed is free again only after a minute.
    const headers = { 'idempotency-key': randomUUID() };
    const accepted = await merchant.call<ForecastAcceptance>('/open/v1/forecasts', { body, headers });
    assertAccepted(accepted, 'submission');
    ledger.acknowledgeForecast(entry, accepted.data.forecast_no);
  }
  if (entry.photoId === undefined) {
    const photo = await warehouse.upload<UploadedPhoto>('/warehouse/v1/photos', 'photo.png', samplePhoto(entry.poNumber), 'image/png');
    assertAccepted(photo, 'photo');
    entry.photoId = photo.data.photo_id;
  }
  if (!entry.weighingAcknowledged) {
    const event = {
      event_id: entry.eventId,
      type: 'weighing',
      occurred_at: new Date().toISOString(),
      warehouse_code: warehouseCode,
      forecast_no: entry.forecastNo,
      length_cm: 30,
      width_cm: 20,
      height_cm: 10,
      weight_kg: entry.weightKg,
      photo_ids: [entry.photoId],
    };
    const result = await warehouse.call<IntakeResult>('/warehouse/v1/events', { body: event });
    assertAccepted(result, 'weighing');
    if (result.data.rejected.length > 0) throw new UnexpectedRefusal(`weighing rejected: ${result.text}`);
    entry.weighingAcknowledged = true;
  }
}

/** A parcel to be taken through, with an entry in the ledger. */
export function newEntry(ledger: Ledger): LedgerEntry {
  const number = ledger.entries.size + 1;
  const entry: LedgerEntry = {
    poNumber: `PO-${number}-${randomUUID().slice(0, 8)}`,
    weightKg: number / 1000,
    eventId: `we-${randomUUID()}`,
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
  for (let index = 0; index < options.parcels; index += 1) queue.push(newEntry(ledger));
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
