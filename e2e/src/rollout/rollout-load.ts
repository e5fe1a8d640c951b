import { setTimeout as pause } from 'node:timers/promises';
import type { UploadedFile, UploadedPhoto } from '@parcelway/contracts/file-api';
import type { ForecastAcceptance } from '@parcelway/contracts/forecast-submission-api';
import { topics } from '@parcelway/contracts/topics';
import type { IntakeResult } from '@parcelway/contracts/warehouse-api';
import type { ApiClient, ApiResponse } from '@parcelway/harness/api-client';
import { samplePdf, samplePng, sampleSubmission } from '@parcelway/harness/sample-data';
import type { KafkaOutsider } from '../distributed/kafka-outsider.ts';
import { Metronome } from '../faults/latency.ts';
import { arrivalIdOf, CORRECTIONS, DISMISSED_BECAUSE, type Ledger, type LedgerEntry } from '../kill/ledger.ts';
import { claim, eventOf, newEntry } from '../kill/load.ts';
import { PatientClient } from './patient-client.ts';
import { RequestFailed, RequestLog } from './request-log.ts';

/** Who puts the load on, and how much. */
export interface RolloutLoadOptions {
  readonly merchant: ApiClient;
  readonly warehouse: ApiClient;
  readonly warehouseCode: string;
  /** Of the merchant, for clients of its own. */
  readonly merchantHeaders: Readonly<Record<string, string>>;
  /** A system of a warehouse that writes to the topic itself. */
  readonly outsider: KafkaOutsider;
  readonly ledger: Ledger;
  readonly parcelsPerSecond: number;
}

/** One parcel in so many has files of its own: a label and a photo. */
const FILES_EVERY = 5;
/** One parcel in so many is corrected. */
const CORRECTED_EVERY = 3;
const PATIENT_CLIENTS = 4;
/** Parcels, and reads, that are under way at the same time. A restart under overload is not what this load is for. */
const MAX_UNDER_WAY = 4;
/** They pause for at most so long between two requests. */
const MAX_PATIENCE_MS = 6000;
/** What a read looks at is one of the latest parcels. */
const RECENT = 50;

/** The weighing of a parcel under a number of its own, or under that of its forecast. */
function weighingOf(entry: LedgerEntry, warehouseCode: string): Record<string, unknown> {
  return {
    ...eventOf('weighing', entry.eventId, warehouseCode),
    ...(entry.strayNumber === undefined ? { forecast_no: entry.forecastNo } : { express_no: entry.strayNumber }),
    length_cm: 30,
    width_cm: 20,
    height_cm: 10,
    weight_kg: entry.weightKg,
    photo_ids: entry.photoId === undefined ? [] : [entry.photoId],
  };
}

/** A steady load of everything that merchants and warehouses do. Nobody repeats a request: one that fails has failed. */
export class RolloutLoad {
  readonly log = new RequestLog();
  readonly #options: RolloutLoadOptions;
  readonly #metronomes: readonly Metronome[];
  readonly #patient: readonly PatientClient[];
  readonly #patientWork: Promise<unknown>;
  readonly #accepted: LedgerEntry[] = [];
  #reads = 0;
  #finished = false;

  constructor(options: RolloutLoadOptions) {
    this.#options = options;
    const { parcelsPerSecond, merchant, merchantHeaders } = options;
    const unlessFailed = (work: () => Promise<void>) => (): Promise<void> => work().catch(ignoreFailedRequest);
    this.#metronomes = [
      new Metronome(
        parcelsPerSecond,
        unlessFailed(() => this.#takeThrough()),
        MAX_UNDER_WAY,
      ),
      new Metronome(
        parcelsPerSecond,
        unlessFailed(() => this.#read()),
        MAX_UNDER_WAY,
      ),
    ];
    this.#patient = Array.from({ length: PATIENT_CLIENTS }, () => new PatientClient(merchant.baseUrl, merchantHeaders));
    this.#patientWork = Promise.all(this.#patient.map((client) => this.#askNowAndThen(client)));
  }

  /** Begins nothing more, and waits for what has been begun. */
  async finish(): Promise<void> {
    this.#finished = true;
    await Promise.all(this.#metronomes.map((metronome) => metronome.stop()));
    await this.#patientWork;
    for (const client of this.#patient) client.close();
  }

  /** Submits a parcel and reports its weighing: straight to the topic, and by HTTP with a claim, in turn. */
  async #takeThrough(): Promise<void> {
    const { merchant, warehouseCode, ledger } = this.#options;
    const entry = newEntry(ledger);
    const number = ledger.entries.size;
    const withFiles = number % FILES_EVERY === 0;
    if (withFiles) entry.labelUrl = await this.#uploadLabel(entry);
    const files = entry.labelUrl === undefined ? {} : { shippingLabel: entry.labelUrl, shippingNote: entry.labelUrl };
    const body = sampleSubmission({ poNumber: entry.poNumber, warehouseCode, ...files });
    const accepted = await this.log.make('submission', () => merchant.call<ForecastAcceptance>('/open/v1/forecasts', { body }));
    ledger.acknowledgeForecast(entry, accepted.forecast_no);
    if (withFiles) entry.photoId = await this.#uploadPhoto(entry);
    if (number % CORRECTED_EVERY === 0) await this.#correct(entry);
    await this.#dismissStrangers(entry);
    if (entry.strayNumber === undefined) await this.#weighByTopic(entry);
    else await this.#claim(entry, entry.strayNumber);
    entry.weighingAcknowledged = true;
    this.#accepted.push(entry);
    if (this.#accepted.length > RECENT) this.#accepted.shift();
  }

  async #uploadLabel({ poNumber }: LedgerEntry): Promise<string> {
    const { merchant } = this.#options;
    const content = samplePdf(poNumber);
    return (await this.log.make('label', () => merchant.upload<UploadedFile>('/open/v1/files/pdf', 'label.pdf', content))).url;
  }

  async #uploadPhoto({ poNumber }: LedgerEntry): Promise<string> {
    const { warehouse } = this.#options;
    const content = samplePng(poNumber);
    const upload = () => warehouse.upload<UploadedPhoto>('/warehouse/v1/photos', 'photo.png', content, 'image/png');
    return (await this.log.make('photo', upload)).photo_id;
  }

  async #correct(entry: LedgerEntry): Promise<void> {
    const { merchant } = this.#options;
    for (const [index, body] of CORRECTIONS.entries()) {
      entry.correctionsSent = index + 1;
      await this.log.make('correction', () => merchant.call(`/open/v1/forecasts/${entry.poNumber}`, { method: 'PATCH', body }));
      entry.correctionsAcknowledged = index + 1;
    }
  }

  /** Reports the parcel that nobody expects, and dismisses it. */
  async #dismissStrangers(entry: LedgerEntry): Promise<void> {
    const { dismissedEventId } = entry;
    if (dismissedEventId === undefined) return;
    const { warehouse, warehouseCode } = this.#options;
    await this.#report([{ ...eventOf('arrival', dismissedEventId, warehouseCode), express_no: dismissedEventId }]);
    const body = { reason: DISMISSED_BECAUSE };
    await this.log.make('dismissal', () => warehouse.call(`/warehouse/v1/unclaimed/${dismissedEventId}/dismiss`, { body }));
    entry.dismissalAcknowledged = true;
  }

  /** Reports arrival and weighing under a number that nobody declares, and claims them. */
  async #claim(entry: LedgerEntry, express_no: string): Promise<void> {
    const { warehouse, warehouseCode } = this.#options;
    await this.#report([{ ...eventOf('arrival', arrivalIdOf(entry), warehouseCode), express_no }, weighingOf(entry, warehouseCode)]);
    await this.log.make('claim', () => claim(entry, warehouse));
  }

  async #report(events: readonly object[]): Promise<void> {
    const { warehouse } = this.#options;
    const result = await this.log.make('report', () => warehouse.call<IntakeResult>('/warehouse/v1/events', { body: { events } }));
    if (result.rejected.length > 0) throw new Error(`Good events were rejected: ${JSON.stringify(result.rejected)}`);
  }

  async #weighByTopic(entry: LedgerEntry): Promise<void> {
    const { outsider, warehouseCode } = this.#options;
    const value = JSON.stringify(weighingOf(entry, warehouseCode));
    await outsider.produce(topics.warehouseIntake, { key: entry.forecastNo ?? null, value });
  }

  /** Reads something, of every service in turn. */
  async #read(): Promise<void> {
    const entry = this.#accepted[Math.floor(Math.random() * this.#accepted.length)];
    if (entry === undefined) return;
    const { merchant, warehouse } = this.#options;
    const po = encodeURIComponent(entry.poNumber);
    const reads: readonly (readonly [string, () => Promise<ApiResponse<unknown>>])[] = [
      ['forecast', () => merchant.call(`/open/v1/forecasts/${po}`)],
      ['weighing query', () => merchant.call(`/open/v1/forecasts/weighing?po_number=${po}`)],
      ['tracking query', () => merchant.call(`/open/v1/forecasts/tracking?po_number=${po}`)],
      ['endpoint list', () => merchant.call('/open/v1/webhook-endpoints')],
      ['forecast list', () => merchant.call('/open/v1/forecasts?limit=20')],
      ['lookup by scan', () => warehouse.call(`/warehouse/v1/lookup?scan=${entry.forecastNo}`)],
      ['changes of a warehouse', () => warehouse.call('/warehouse/v1/forecasts?limit=20')],
      ['file', () => this.#openFile(entry.labelUrl)],
    ];
    this.#reads += 1;
    const [what, read] = reads[this.#reads % reads.length] as (typeof reads)[number];
    await this.log.make(what, read);
  }

  /** A file as its URL opens it, at the balancer; the list of warehouses when the parcel has none. */
  async #openFile(url: string | undefined): Promise<ApiResponse<unknown>> {
    const { merchant } = this.#options;
    if (url === undefined) return merchant.call('/open/v1/warehouses');
    const { pathname, search } = new URL(url);
    return merchant.call(`${pathname}${search}`);
  }

  async #askNowAndThen(client: PatientClient): Promise<void> {
    while (!this.#finished) {
      await pause(Math.random() * MAX_PATIENCE_MS);
      await this.log.make('patient client', () => client.get('/open/v1/forecasts?limit=1')).catch(ignoreFailedRequest);
    }
  }
}

/** It is in the log, which is what the run is judged by. @throws anything else */
function ignoreFailedRequest(error: unknown): void {
  if (!(error instanceof RequestFailed)) throw error;
}
