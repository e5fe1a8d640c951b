import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { UploadedFile, UploadedPhoto } from '@parcelway/contracts/file-api';
import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import type { ForecastAcceptance } from '@parcelway/contracts/forecast-submission-api';
import type { IntakeResult } from '@parcelway/contracts/warehouse-api';
import type { ApiClient, ApiResponse } from '@parcelway/harness/api-client';
import type { PlatformProcess } from '@parcelway/harness/platform-process';
import { samplePdf, samplePng, sampleSubmission } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import { arrivalIdOf, CORRECTIONS, DISMISSED_BECAUSE, type Ledger, type LedgerEntry } from './ledger.ts';

/** A good request was refused for good: a finding, not a consequence of what is broken. */
export class UnexpectedRefusal extends Error {}

type Client = Pick<ApiClient, 'call' | 'upload'>;

/** Clients of a load. */
export interface LoadClients {
  readonly merchant: Client & Pick<ApiClient, 'baseUrl' | 'fetchBytes'>;
  readonly warehouse: Client;
  readonly warehouseCode: string;
  /** Reports the weighing of a parcel that needs no claim; default: over HTTP. */
  readonly reportWeighing?: (forecastNo: string, event: object) => Promise<void>;
}

/** 5xx and 429 may be tried again; anything else than success is a refusal of a request that is known to be good. */
function assertAccepted(response: ApiResponse<unknown>, what: string): void {
  if (response.status >= 500 || response.status === 429) throw new Error(`${what}: ${response.status}`);
  if (response.code !== '0') throw new UnexpectedRefusal(`${what} responded with ${response.text}`);
}

/** This many items with long names are larger than an event. */
const LARGE_ITEMS = 180;
const LONG_NAME = '货'.repeat(500);

function submissionOf({ poNumber, labelUrl, isLarge }: LedgerEntry, warehouseCode: string): Record<string, unknown> {
  const files = labelUrl === undefined ? {} : { shippingLabel: labelUrl, shippingNote: labelUrl };
  const body = sampleSubmission({ poNumber, warehouseCode, ...files, items: isLarge ? LARGE_ITEMS : 1 });
  if (!isLarge) return body;
  return { ...body, items: (body.items as object[]).map((item) => ({ ...item, product_name_cn: LONG_NAME })) };
}

/** Sends the submission. @returns the response as it is */
export function sendSubmission(entry: LedgerEntry, { merchant, warehouseCode }: LoadClients): Promise<ApiResponse<ForecastAcceptance>> {
  // A new key for each attempt: the key of a killed attempt stays locked for a minute.
  const headers = { 'idempotency-key': randomUUID() };
  return merchant.call<ForecastAcceptance>('/open/v1/forecasts', { body: submissionOf(entry, warehouseCode), headers });
}

/** Sends the label, the same bytes each time. */
export const sendLabel = ({ poNumber }: LedgerEntry, { merchant }: LoadClients): Promise<ApiResponse<UploadedFile>> =>
  merchant.upload<UploadedFile>('/open/v1/files/pdf', 'label.pdf', samplePdf(poNumber));

/** Sends the photo, the same bytes each time. */
const sendPhoto = ({ poNumber }: LedgerEntry, { warehouse }: LoadClients): Promise<ApiResponse<UploadedPhoto>> =>
  warehouse.upload<UploadedPhoto>('/warehouse/v1/photos', 'photo.png', samplePng(poNumber), 'image/png');

async function submit(entry: LedgerEntry, ledger: Ledger, clients: LoadClients): Promise<void> {
  const accepted: ApiResponse<ForecastAcceptance & { readonly fields?: readonly string[] }> = await sendSubmission(entry, clients);
  // A restored backup may have corrections of a forecast that is submitted again.
  const corrected = CORRECTIONS.slice(0, entry.correctionsSent).flatMap((correction) => Object.keys(correction));
  const isCorrected = accepted.code === '40901' && accepted.data.fields?.every((field) => corrected.includes(field));
  if (!isCorrected) assertAccepted(accepted, 'submission');
  ledger.acknowledgeForecast(entry, accepted.data.forecast_no);
}

async function correct(entry: LedgerEntry, { merchant }: LoadClients): Promise<void> {
  for (let next = entry.correctionsAcknowledged; next < CORRECTIONS.length; next += 1) {
    entry.correctionsSent = Math.max(entry.correctionsSent, next + 1);
    const corrected = await merchant.call(`/open/v1/forecasts/${entry.poNumber}`, { method: 'PATCH', body: CORRECTIONS[next] });
    assertAccepted(corrected, 'correction');
    entry.correctionsAcknowledged = next + 1;
  }
}

/** Opens the product label of the current version, which is rendered for it. */
async function openLabel({ poNumber }: LedgerEntry, { merchant }: LoadClients): Promise<void> {
  const response = await merchant.call<ForecastDetail>(`/open/v1/forecasts/${poNumber}`);
  assertAccepted(response, 'forecast');
  const { status } = await merchant.fetchBytes(`${merchant.baseUrl}${new URL(response.data.marketplace_label).pathname}`);
  if (status !== 200) throw new Error(`product label: ${status}`);
}

async function report(events: readonly object[], { warehouse }: LoadClients): Promise<void> {
  const result = await warehouse.call<IntakeResult>('/warehouse/v1/events', { body: { events } });
  assertAccepted(result, 'report');
  if (result.data.rejected.length > 0) throw new UnexpectedRefusal(`report rejected: ${result.text}`);
}

/** Reports a parcel without a forecast, and dismisses it. */
async function dismiss(entry: LedgerEntry, eventId: string, clients: LoadClients): Promise<void> {
  await report([{ ...eventOf('arrival', eventId, clients), express_no: eventId }], clients);
  const path = `/warehouse/v1/unclaimed/${eventId}/dismiss`;
  assertAccepted(await clients.warehouse.call(path, { body: { reason: DISMISSED_BECAUSE } }), 'dismissal');
  entry.dismissalAcknowledged = true;
}

/** An event of a warehouse, which happened now. */
const eventOf = (type: string, event_id: string, { warehouseCode: warehouse_code }: LoadClients): object => ({
  event_id,
  type,
  occurred_at: new Date().toISOString(),
  warehouse_code,
});

/** Claims the events for the forecast, as soon as the intake knows the forecast. */
async function claim(entry: LedgerEntry, { warehouse }: LoadClients): Promise<void> {
  const path = `/warehouse/v1/unclaimed/${entry.eventId}/claim`;
  const given = await until(async () => {
    // A platform that has ended ends the wait.
    const [outcome] = await Promise.allSettled([warehouse.call(path, { body: { forecast_no: entry.forecastNo } })]);
    return outcome.status === 'fulfilled' && outcome.value.code === '40403' ? undefined : outcome;
  });
  if (given.status === 'rejected') throw given.reason;
  assertAccepted(given.value, 'claim');
}

/** Reports the weighing under the number of the forecast, or under an unknown number and then claims it. */
async function weigh(entry: LedgerEntry, clients: LoadClients): Promise<void> {
  const measures = { length_cm: 30, width_cm: 20, height_cm: 10, weight_kg: entry.weightKg };
  const photo_ids = entry.photoId === undefined ? [] : [entry.photoId];
  const weighing = { ...eventOf('weighing', entry.eventId, clients), ...measures, photo_ids };
  if (entry.strayNumber === undefined) {
    const event = { ...weighing, forecast_no: entry.forecastNo };
    await (clients.reportWeighing?.(String(entry.forecastNo), event) ?? report([event], clients));
  } else {
    const express_no = entry.strayNumber;
    const events = [eventOf('arrival', arrivalIdOf(entry), clients), weighing];
    await report(
      events.map((event) => ({ ...event, express_no })),
      clients,
    );
    await claim(entry, clients);
  }
  entry.weighingAcknowledged = true;
}

/** Takes one parcel as far as possible. Sends only what was not acknowledged before. */
export async function advance(entry: LedgerEntry, ledger: Ledger, clients: LoadClients): Promise<void> {
  if (entry.labelUrl === undefined && !entry.isPlain) {
    const label = await sendLabel(entry, clients);
    assertAccepted(label, 'upload');
    entry.labelUrl = label.data.url;
  }
  if (entry.forecastNo === undefined) await submit(entry, ledger, clients);
  await correct(entry, clients);
  await openLabel(entry, clients);
  if (entry.dismissedEventId !== undefined && !entry.dismissalAcknowledged) await dismiss(entry, entry.dismissedEventId, clients);
  if (entry.photoId === undefined && !entry.isPlain) {
    const photo = await sendPhoto(entry, clients);
    assertAccepted(photo, 'photo');
    entry.photoId = photo.data.photo_id;
  }
  if (!entry.weighingAcknowledged) await weigh(entry, clients);
}

/** Size and pace of a load. */
export interface LoadOptions {
  readonly workers: number;
  /** Number of new parcels; default: new ones until {@link Load.finish}. */
  readonly parcels?: number;
  /** How many of them have items that are too large for an event; default 0. */
  readonly large?: number;
  /** Upper bound over all workers, so that a small machine is not overloaded; default none. */
  readonly parcelsPerSecond?: number;
  /** False once the platform has ended, which ends the load; default always true. */
  readonly isAlive?: () => boolean;
}

/** Pause of a worker after a failure. */
const RETRY_MS = 200;

/**
 * Several workers take parcels through a platform and repeat failed requests. Parcels that an earlier load left unfinished come first, as clients
 * repeat what was not acknowledged.
 */
export class Load {
  readonly ledger: Ledger;
  readonly clients: LoadClients;
  /** Failed attempts by what they were. */
  readonly failures = new Map<string, number>();
  readonly #options: LoadOptions;
  readonly #begun: Promise<void>;
  readonly #underWay = new Set<LedgerEntry>();
  #waiting: LedgerEntry[];
  /** True while new parcels are begun. */
  #begins: boolean;
  #deadline = Number.POSITIVE_INFINITY;
  #refusal: UnexpectedRefusal | undefined;

  constructor(clients: LoadClients, ledger: Ledger, options: LoadOptions) {
    const { parcels, large = 0, parcelsPerSecond = Number.POSITIVE_INFINITY, workers } = options;
    this.clients = clients;
    this.ledger = ledger;
    this.#options = options;
    this.#begins = parcels === undefined;
    for (let index = 0; index < (parcels ?? 0); index += 1) ledger.begin(index < large ? { isLarge: true } : {});
    this.#waiting = ledger.open;
    this.#begun = this.#work((workers * 1000) / parcelsPerSecond);
  }

  /** Responses of 500: a defect, whatever is broken. */
  get internalErrors(): string[] {
    return [...this.failures]
      .filter(([what]) => what.endsWith(': 500'))
      .map(([what, count]) => `${count} times an internal error: ${what}`);
  }

  /**
   * Waits until all parcels are finished or the platform has ended.
   * @throws UnexpectedRefusal when a good request was refused for good; Error when parcels are unfinished after `withinMs`
   */
  async ended(withinMs: number): Promise<void> {
    this.#deadline = performance.now() + withinMs;
    await this.#begun;
    if (this.#refusal) throw this.#refusal;
    const open = this.ledger.open.length;
    if (open > 0 && performance.now() >= this.#deadline)
      throw new Error(`${open} parcels were unfinished after ${withinMs / 1000} s; failures: ${JSON.stringify([...this.failures])}`);
  }

  /**
   * Begins no more parcels and finishes all of the ledger, as {@link ended}.
   * @param ownWithinMs deadline for the parcels that are under way now; a probe may have begun many others, which have `withinMs`
   */
  async finish(withinMs: number, ownWithinMs: number): Promise<void> {
    this.#begins = false;
    const own = [...this.#underWay];
    this.#waiting = this.ledger.open.filter((entry) => !this.#underWay.has(entry));
    const ended = this.ended(withinMs);
    await Promise.race([ended, pause(ownWithinMs, undefined, { ref: false })]);
    const late = own.filter(({ weighingAcknowledged }) => !weighingAcknowledged).length;
    await ended;
    if (late > 0) throw new Error(`${late} parcels of the load were unfinished after ${ownWithinMs / 1000} s`);
  }

  async #work(paceMs: number): Promise<void> {
    const worker = async (): Promise<void> => {
      for (let entry = this.#next(); entry !== undefined; entry = this.#next()) {
        const startedAt = performance.now();
        await this.#takeThrough(entry);
        await pause(Math.max(0, paceMs - (performance.now() - startedAt)));
      }
    };
    await Promise.all(Array.from({ length: this.#options.workers }, worker));
  }

  #next(): LedgerEntry | undefined {
    if (!this.#isRunning) return undefined;
    return this.#waiting.shift() ?? (this.#begins ? this.ledger.begin() : undefined);
  }

  get #isRunning(): boolean {
    return this.#refusal === undefined && (this.#options.isAlive?.() ?? true) && performance.now() < this.#deadline;
  }

  async #takeThrough(entry: LedgerEntry): Promise<void> {
    this.#underWay.add(entry);
    while (this.#isRunning) {
      try {
        await advance(entry, this.ledger, this.clients);
        break;
      } catch (error) {
        if (error instanceof UnexpectedRefusal) this.#refusal = error;
        const what = (error as Error).message.slice(0, 60);
        this.failures.set(what, (this.failures.get(what) ?? 0) + 1);
        await pause(RETRY_MS);
      }
    }
    this.#underWay.delete(entry);
  }
}

/** Default deadline of a load with a fixed number of parcels. */
const THROUGH_WITHIN_MS = 180_000;

/**
 * Puts load on a platform until the parcels are finished or the platform ends. The ledger notes responses of 500.
 * @throws UnexpectedRefusal; Error when parcels are unfinished after `withinMs`, default three minutes
 */
export async function putLoad(
  platform: Pick<PlatformProcess, 'client' | 'quickstart' | 'running'>,
  ledger: Ledger,
  { withinMs = THROUGH_WITHIN_MS, ...options }: LoadOptions & { readonly parcels: number; readonly withinMs?: number },
): Promise<void> {
  const { code, api_key } = platform.quickstart.warehouse;
  const [merchant, warehouse] = [platform.client(), platform.client(api_key)];
  const load = new Load({ merchant, warehouse, warehouseCode: code }, ledger, { ...options, isAlive: () => platform.running });
  await load.ended(withinMs).finally(() => {
    ledger.contradictions.push(...load.internalErrors);
    return Promise.all([merchant.close(), warehouse.close()]);
  });
}
