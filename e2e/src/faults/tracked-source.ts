import { setTimeout as pause } from 'node:timers/promises';
import { newPoNumber } from '@parcelway/harness/merchant';
import { recentRow } from '@parcelway/harness/sources/recent-row';
import { connectionTo } from '@parcelway/harness/sources/source-connection';
import type { PushOptions, ServerRow, SourceServer } from '@parcelway/harness/sources/source-server';
import { sourceServers } from '@parcelway/harness/sources/source-servers';
import { until } from '@parcelway/kernel/testing/until';
import { dispatchParcel } from './dispatch-parcel.ts';
import type { FaultStage } from './fault.ts';

/** What a fault of a tracking source works with: no load is needed. */
export type SourceStage = Pick<FaultStage, 'platform' | 'merchant' | 'receivers'>;

/** A parcel that a source knows. */
export interface TrackedParcel {
  readonly number: string;
  readonly poNumber: string;
}

/** Every process sees a connection, or a change of one, within 5 s. */
const SEEN_MS = 5500;
const KNOWN_MS = 40_000;
const PUSHED_MS = 40_000;

/** A row that is the first of a parcel in these tests. */
export const inTransit = recentRow('in transit', 180);

/** A vendor's server, and a connection of the operator to it that serves a carrier of its own. */
export class TrackedSource {
  readonly server: SourceServer;
  /** Also the code of the carrier that it serves. */
  readonly connectionId: string;
  readonly #stage: SourceStage;

  private constructor(stage: SourceStage, server: SourceServer, connectionId: string) {
    this.#stage = stage;
    this.server = server;
    this.connectionId = connectionId;
  }

  /** Starts the server of a source and connects the platform to it. The server refuses no call for its rate: source-calls judges the rate. */
  static async connect(stage: SourceStage, name: string): Promise<TrackedSource> {
    const start = sourceServers[name];
    if (start === undefined) throw new Error(`The tracking source ${name} has no server`);
    const server = await start();
    server.setLimits({ requestsPerSecond: null });
    const source = new TrackedSource(stage, server, newPoNumber('con').toLowerCase());
    const body = connectionTo(server, source.connectionId, [source.connectionId]);
    await source.#admin('', 'POST', body).catch(async (error: unknown) => {
      await server.close();
      throw error;
    });
    return source;
  }

  /** Hands a parcel to the carrier. @param rows what the vendor knows of it already */
  async dispatch(...rows: readonly ServerRow[]): Promise<TrackedParcel> {
    const number = newPoNumber('TRK').replaceAll('-', '');
    this.server.addRows(number, ...rows);
    const poNumber = await dispatchParcel(this.#stage.merchant, this.connectionId, number);
    return { number, poNumber };
  }

  /** A parcel in transit that the merchant sees. */
  async tracked(): Promise<TrackedParcel> {
    const parcel = await this.dispatch(inTransit);
    await this.#stage.merchant.untilTracking(parcel.poNumber, ({ nodes }) => nodes.length === 1, 'what the source knows', KNOWN_MS);
    return parcel;
  }

  /** Sends a push through the gateway once. @returns status of the response */
  async push(number: string, options?: PushOptions): Promise<number> {
    const { body, headers } = this.server.signPush(number, options);
    const client = this.#stage.platform.client(null);
    try {
      const path = `/carriers/v1/${this.server.name}/${this.connectionId}`;
      const sent = { 'content-type': 'application/json', ...headers };
      return (await client.call(path, { method: 'POST', body, headers: sent })).status;
    } finally {
      await client.close();
    }
  }

  /** Sends a push again and again until it is taken, as vendors do. */
  async pushUntilTaken(number: string, options?: PushOptions): Promise<void> {
    const taken = async (): Promise<boolean> => (await this.push(number, options)) === 200;
    await until(taken, { within: PUSHED_MS, everyMs: 200, what: `a push of ${this.server.name} to be taken` });
  }

  /** Ends the connection and the server. */
  async close(): Promise<void> {
    await this.#admin(`/${this.connectionId}`, 'DELETE').finally(() => this.server.close());
  }

  async #admin(path: string, method: 'POST' | 'DELETE', body?: object): Promise<void> {
    const admin = this.#stage.platform.admin();
    try {
      await admin.expectOk(`/admin/v1/carrier-connections${path}`, { method, ...(body !== undefined && { body }) });
    } finally {
      await admin.close();
    }
  }
}

/** Does something with sources that every process knows. They are closed afterwards. @param names of sources, one for each connection */
export async function withSources<T>(
  stage: SourceStage,
  names: readonly string[],
  work: (sources: readonly TrackedSource[]) => Promise<T>,
): Promise<T> {
  const sources: TrackedSource[] = [];
  try {
    for (const name of names) sources.push(await TrackedSource.connect(stage, name));
    await pause(SEEN_MS);
    return await work(sources);
  } finally {
    await Promise.all(sources.map((source) => source.close()));
  }
}
