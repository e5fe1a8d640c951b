import { Agent, get, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { topics } from '@parcelway/contracts/topics';
import type { ApiClient } from '@parcelway/harness/api-client';
import type { KafkaOutsider } from '@parcelway/harness/kafka-outsider';
import { Metronome } from '../faults/probe.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { Load } from '../ledger/load.ts';

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
  readonly perSecond: number;
}

const PATIENT_CLIENTS = 4;
/** Longest pause between two of their requests. */
const MAX_PATIENCE_MS = 6000;
const PATIENT_WITHIN_MS = 20_000;
/** Parcels, and reads, that are under way at the same time. A restart under overload is not what this load is for. */
const MAX_UNDER_WAY = 4;
/** What a read looks at is one of the latest parcels. */
const RECENT = 50;
const FINISH_MS = 60_000;

/** A steady load of everything that merchants and warehouses do: parcels, and reads of every service. No request may fail. */
export class RolloutLoad {
  reads = 0;
  readonly #options: RolloutLoadOptions;
  readonly #parcels: Load;
  readonly #reading: Metronome;
  readonly #patientWork: Promise<unknown>;
  readonly #failures: string[] = [];
  #finished = false;

  constructor(options: RolloutLoadOptions) {
    const { merchant, warehouse, warehouseCode, merchantHeaders, outsider, ledger, perSecond } = options;
    this.#options = options;
    const reportWeighing = (key: string, event: object): Promise<void> =>
      outsider.produce(topics.warehouseIntake, { key, value: JSON.stringify(event) });
    const clients = { merchant, warehouse, warehouseCode, reportWeighing };
    this.#parcels = new Load(clients, ledger, { workers: MAX_UNDER_WAY, parcelsPerSecond: perSecond });
    this.#reading = new Metronome(perSecond, () => this.#read(), MAX_UNDER_WAY);
    this.#patientWork = Promise.all(Array.from({ length: PATIENT_CLIENTS }, () => this.#askNowAndThen(merchant.baseUrl, merchantHeaders)));
  }

  /** Requests that failed, and why. */
  get failures(): readonly string[] {
    const ofParcels = [...this.#parcels.failures].flatMap(([what, count]) => Array.from({ length: count }, () => what));
    return [...ofParcels, ...this.#failures];
  }

  /** Begins nothing more and waits for what is under way. */
  async finish(): Promise<void> {
    this.#finished = true;
    await Promise.all([this.#reading.stop(), this.#patientWork, this.#parcels.finish(FINISH_MS, FINISH_MS)]);
  }

  /** Reads something, of every service in turn. */
  async #read(): Promise<void> {
    const { merchant, warehouse, ledger } = this.#options;
    const through = [...ledger.entries.values()].filter(({ weighingAcknowledged }) => weighingAcknowledged).slice(-RECENT);
    const entry = through[Math.floor(Math.random() * through.length)];
    if (entry === undefined) return;
    const reads: readonly (readonly [client: ApiClient, path: string])[] = [
      [merchant, `/open/v1/forecasts/weighing?po_number=${entry.poNumber}`],
      [merchant, `/open/v1/forecasts/tracking?po_number=${entry.poNumber}`],
      [merchant, '/open/v1/webhook-endpoints'],
      [merchant, '/open/v1/forecasts?limit=20'],
      [warehouse, `/warehouse/v1/lookup?scan=${entry.forecastNo}`],
      [warehouse, '/warehouse/v1/forecasts?limit=20'],
      // A file as its URL opens it, at the balancer.
      [merchant, entry.labelUrl === undefined ? '/open/v1/warehouses' : new URL(entry.labelUrl).pathname],
    ];
    const [client, path] = reads[this.reads % reads.length] as (typeof reads)[number];
    await this.#note(path, () => client.call(path));
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
      await this.#note('patient client', ask);
    }
    agent.destroy();
  }

  /** Makes a request that must succeed. */
  async #note(what: string, ask: () => Promise<{ readonly status: number; readonly text: string }>): Promise<void> {
    this.reads += 1;
    const { status, text } = await ask().catch((error: Error) => ({ status: 0, text: `${error.message} ${error.cause ?? ''}` }));
    if (status < 200 || status > 299) this.#failures.push(`${what}: ${status} ${text.slice(0, 200)}`);
  }
}
