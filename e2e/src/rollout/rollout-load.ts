import { Agent, get, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { topics } from '@parcelway/contracts/topics';
import type { ApiClient } from '@parcelway/harness/api-client';
import type { KafkaOutsider } from '@parcelway/harness/kafka-outsider';
import { Metronome } from '../faults/probe.ts';
import type { Ledger, LedgerEntry } from '../ledger/ledger.ts';
import { advance, type LoadClients } from '../ledger/load.ts';

/** A request that failed: it had no response, or another one than success. */
class RequestFailed extends Error {}

/** The innermost reason: `fetch failed` says less than `ECONNRESET`. */
function reasonOf(error: unknown): string {
  const { code, message, cause } = error as { code?: string; message?: string; cause?: unknown };
  if (cause !== undefined && code === undefined) return reasonOf(cause);
  return code === undefined ? String(message) : `${code} (${message})`;
}

/** Who puts the load on, and how much. */
export interface RolloutLoadOptions {
  readonly merchant: ApiClient;
  readonly warehouse: ApiClient;
  readonly warehouseCode: string;
  /** Headers of the merchant, for other HTTP clients. */
  readonly merchantHeaders: Readonly<Record<string, string>>;
  /** A system of a warehouse that writes to the topic itself. */
  readonly outsider: KafkaOutsider;
  readonly ledger: Ledger;
  readonly parcelsPerSecond: number;
}

/** One parcel in this many has a label and a photo. */
const FILES_EVERY = 5;
const PATIENT_CLIENTS = 4;
/** Longest pause between two of their requests. */
const MAX_PATIENCE_MS = 6000;
const PATIENT_WITHIN_MS = 20_000;
/** Parcels, and reads, that are under way at the same time. A restart under overload is not what this load is for. */
const MAX_UNDER_WAY = 4;
/** What a read looks at is one of the latest parcels. */
const RECENT = 50;

/** A steady load of everything that merchants and warehouses do. A failed request is not repeated. */
export class RolloutLoad {
  /** How many requests there were. */
  requests = 0;
  /** Those that failed, such as `POST /open/v1/forecasts`, and why. */
  readonly failures: string[] = [];
  readonly #ledger: Ledger;
  readonly #clients: LoadClients;
  readonly #metronomes: readonly Metronome[];
  readonly #patientWork: Promise<unknown>;
  readonly #through: LedgerEntry[] = [];
  #reads = 0;
  #finished = false;

  constructor({ merchant, warehouse, warehouseCode, merchantHeaders, outsider, ledger, parcelsPerSecond }: RolloutLoadOptions) {
    this.#ledger = ledger;
    this.#clients = {
      merchant: this.#recorded(merchant),
      warehouse: this.#recorded(warehouse),
      warehouseCode,
      reportWeighing: (key, event) => outsider.produce(topics.warehouseIntake, { key, value: JSON.stringify(event) }),
    };
    const steadily = (work: () => Promise<void>): Metronome =>
      new Metronome(parcelsPerSecond, () => work().catch(ignoreFailedRequest), MAX_UNDER_WAY);
    this.#metronomes = [steadily(() => this.#takeThrough()), steadily(() => this.#read())];
    this.#patientWork = Promise.all(Array.from({ length: PATIENT_CLIENTS }, () => this.#askNowAndThen(merchant.baseUrl, merchantHeaders)));
  }

  /** Begins nothing more and waits for running requests. */
  async finish(): Promise<void> {
    this.#finished = true;
    await Promise.all(this.#metronomes.map((metronome) => metronome.stop()));
    await this.#patientWork;
  }

  /** Submits a parcel, corrects it, and reports its weighing: straight to the topic, and by HTTP with a claim, in turn. */
  async #takeThrough(): Promise<void> {
    const entry = this.#ledger.begin(this.#ledger.entries.size % FILES_EVERY === 0 ? {} : { isPlain: true });
    await advance(entry, this.#ledger, this.#clients);
    this.#through.push(entry);
    if (this.#through.length > RECENT) this.#through.shift();
  }

  /** Reads something, of every service in turn. */
  async #read(): Promise<void> {
    const entry = this.#through[Math.floor(Math.random() * this.#through.length)];
    if (entry === undefined) return;
    const { merchant, warehouse } = this.#clients;
    const po = encodeURIComponent(entry.poNumber);
    const reads: readonly (readonly [client: Pick<ApiClient, 'call'>, path: string])[] = [
      [merchant, `/open/v1/forecasts/weighing?po_number=${po}`],
      [merchant, `/open/v1/forecasts/tracking?po_number=${po}`],
      [merchant, '/open/v1/webhook-endpoints'],
      [merchant, '/open/v1/forecasts?limit=20'],
      [warehouse, `/warehouse/v1/lookup?scan=${entry.forecastNo}`],
      [warehouse, '/warehouse/v1/forecasts?limit=20'],
      // A file as its URL opens it, at the balancer.
      [merchant, entry.labelUrl === undefined ? '/open/v1/warehouses' : new URL(entry.labelUrl).pathname],
    ];
    this.#reads += 1;
    const [client, path] = reads[this.#reads % reads.length] as (typeof reads)[number];
    await client.call(path);
  }

  /** Makes rare requests over one keep-alive connection of Node's agent, which is idle most of the time. */
  async #askNowAndThen(baseUrl: string, headers: Readonly<Record<string, string>>): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (): Promise<{ readonly status: number; readonly text: string }> => {
      const options = { agent, headers, signal: AbortSignal.timeout(PATIENT_WITHIN_MS) };
      const response = await new Promise<IncomingMessage>((resolve, reject) =>
        get(`${baseUrl}/open/v1/forecasts?limit=1`, options, resolve).once('error', reject),
      );
      return { status: response.statusCode ?? 0, text: await textOf(response) };
    };
    while (!this.#finished) {
      await pause(Math.random() * MAX_PATIENCE_MS);
      await this.#note('patient client', ask).catch(ignoreFailedRequest);
    }
    agent.destroy();
  }

  /** A client that records every request. */
  #recorded(client: ApiClient): LoadClients['merchant'] {
    const named = (method: string, path: string): string => `${method} ${path.replace(/\?.*/, '').replaceAll(/\/[^/]*\d{3}[^/]*/g, '/…')}`;
    return {
      baseUrl: client.baseUrl,
      call: (path, call) =>
        this.#note(named(call?.method ?? (call?.body === undefined ? 'GET' : 'POST'), path), () => client.call(path, call)),
      upload: (path, ...file) => this.#note(named('POST', path), () => client.upload(path, ...file)),
      fetchBytes: (url) => this.#note(named('GET', new URL(url).pathname), () => client.fetchBytes(url)),
    };
  }

  /** Makes a request that must succeed; a claim may get 40403 until the intake knows the forecast. @throws RequestFailed */
  async #note<T extends { readonly status: number }>(what: string, work: () => Promise<T>): Promise<T> {
    this.requests += 1;
    const failed = (why: string): RequestFailed => {
      this.failures.push(`${what}: ${why}`);
      return new RequestFailed(what);
    };
    const response = await work().catch((error: unknown) => {
      throw failed(reasonOf(error));
    });
    const { status, code = '', text = '' } = response as T & { readonly code?: string; readonly text?: string };
    if ((status < 200 || status > 299) && code !== '40403') throw failed(`${status} ${text.slice(0, 200)}`);
    return response;
  }
}

/** Ignores a failed request: {@link RolloutLoad.failures} has it. @throws any other error */
function ignoreFailedRequest(error: unknown): void {
  if (!(error instanceof RequestFailed)) throw error;
}
