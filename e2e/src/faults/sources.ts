import { setTimeout as pause } from 'node:timers/promises';
import type { AdminStatus } from '@parcelway/contracts/admin-status';
import type { ApiResponse } from '@parcelway/harness/api-client';
import { newPoNumber } from '@parcelway/harness/merchant';
import { callRoute } from '@parcelway/harness/route-call';
import {
  connectionTo,
  type PushOptions,
  recentRow,
  type ServerCall,
  type ServerRow,
  type SourceServer,
} from '@parcelway/harness/sources/source-server';
import { sourceServers } from '@parcelway/harness/sources/source-servers';
import { until } from '@parcelway/kernel/testing/until';
import { changesOf } from '../ledger/check-tracked.ts';
import type { FaultStage, Findings } from './fault.ts';

/** What a fault of a tracking source works with, without load. */
export type SourceStage = Pick<FaultStage, 'platform' | 'merchant' | 'receivers' | 'ledger'>;

/** Deadline of one call of a source, as {@link sourceFaultEnv} sets it. */
const CARRIER_TIMEOUT_MS = 1500;
/** Variables of a platform for these faults: a poll comes as soon as a source may be asked again. */
export const sourceFaultEnv = { CARRIER_TIMEOUT_MS: String(CARRIER_TIMEOUT_MS), TRACKING_POLL_SCHEDULE: '120d:5s' } as const;

/** A fault of a tracking source or of the processes that query it, with separate sources and parcels. */
export interface SourceFault {
  readonly name: string;
  readonly expected: string;
  strike(stage: SourceStage): Promise<Findings>;
}

/** A parcel that a source knows. */
export interface SourceParcel {
  readonly number: string;
  readonly poNumber: string;
}

/** Every process sees a connection, or a change of one, within 5 s. */
const SEEN_MS = 5500;
const WITHIN_MS = 60_000;
const SHIPPED = 5;
/** Calls a second that vendors allow; a source that is not here names no limit (docs/tracking.md). */
const RATES: Readonly<Record<string, number>> = { '17track': 3, easypost: 5, dhl: 0.2 };
/** A busy machine delays calls, so the rate is judged over this time, or over that of two calls. */
const WINDOW_MS = 5000;

/** First row of a parcel in these tests. */
export const inTransit = recentRow('in transit', 180);

/** Dispatches run in these lanes, at most 8 at once: these tests are not about load. */
const lanes: Promise<unknown>[] = Array.from({ length: 8 }, () => Promise.resolve());
let begun = 0;

function inLane<T>(work: () => Promise<T>): Promise<T> {
  begun += 1;
  const lane = begun % lanes.length;
  const done = (lanes[lane] as Promise<unknown>).then(work);
  lanes[lane] = done.catch(() => undefined);
  return done;
}

/** Repeats a request while it gets 50301, as clients do. @throws Error for any other refusal */
async function untilTaken(send: () => Promise<ApiResponse<unknown>>, what: string): Promise<void> {
  const responded = async (): Promise<ApiResponse<unknown> | undefined> => {
    const response = await send();
    return response.code === '50301' ? undefined : response;
  };
  const { code, text } = await until(responded, { within: WITHIN_MS, everyMs: 500, what });
  if (code !== '0') throw new Error(`${what}: ${text}`);
}

/** Waits until the merchant has received a change of the parcel in a webhook, without a query. */
export async function untilChanged(
  { receivers }: SourceStage,
  { poNumber }: SourceParcel,
  status: AdminStatus,
  within = WITHIN_MS,
): Promise<void> {
  const hasCome = (): boolean => changesOf(receivers[0], poNumber).includes(status);
  await until(hasCome, { within, everyMs: 100, what: `${status} of ${poNumber} in a webhook` });
}

/** A vendor's server, and the operator's connection to it for a separate carrier. */
export class Source {
  readonly server: SourceServer;
  /** Also the code of the carrier that it serves. */
  readonly #connectionId: string;
  readonly #stage: SourceStage;

  private constructor(stage: SourceStage, server: SourceServer, connectionId: string) {
    this.#stage = stage;
    this.server = server;
    this.#connectionId = connectionId;
  }

  /** Starts the server of a source and connects the platform to it. The server refuses no call for its rate: {@link beyondRate} judges the rate. */
  static async connect(stage: SourceStage, name: string): Promise<Source> {
    const server = await (sourceServers[name] as () => Promise<SourceServer>)();
    server.setLimits({ requestsPerSecond: null });
    const source = new Source(stage, server, newPoNumber('con').toLowerCase());
    const body = connectionTo(server, source.#connectionId, [source.#connectionId]);
    await stage.platform.admin().expectOk('/admin/v1/carrier-connections', { body });
    return source;
  }

  /** Submits a forecast and hands its parcel to the carrier. @param rows what the vendor knows of it already */
  async dispatch(...rows: readonly ServerRow[]): Promise<SourceParcel> {
    const { merchant } = this.#stage;
    const [number, poNumber] = [newPoNumber('TRK').replaceAll('-', ''), newPoNumber('SOURCE')];
    this.server.addRows(number, ...rows);
    await inLane(async () => {
      const body = await merchant.body({ poNumber });
      await untilTaken(() => merchant.submitBody(body), `${poNumber} to be accepted`);
      const simulation = { po_number: poNumber, step: 'dispatch', carrier_code: this.#connectionId, tracking_number: number };
      await untilTaken(() => callRoute(merchant.client, 'simulate', { body: simulation }), `${poNumber} to be dispatched`);
      await merchant.untilStatus(poNumber, SHIPPED, WITHIN_MS);
    });
    return { number, poNumber };
  }

  /** A parcel in transit that the merchant sees. */
  async tracked(): Promise<SourceParcel> {
    const parcel = await this.dispatch(inTransit);
    await this.#stage.merchant.untilTracking(parcel.poNumber, ({ nodes }) => nodes.length === 1, 'what the source knows', WITHIN_MS);
    return parcel;
  }

  /** Repeats a push through the gateway until it is accepted, as vendors do. */
  async pushUntilTaken(number: string, options?: PushOptions): Promise<void> {
    const path = `/carriers/v1/${this.server.name}/${this.#connectionId}`;
    const client = this.#stage.platform.client(null);
    const taken = async (): Promise<boolean> => {
      const { body, headers } = this.server.signPush(number, options);
      return (
        (await client.call(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })).status === 200
      );
    };
    const options_ = { within: WITHIN_MS, everyMs: 200, what: `a push of ${this.server.name} to be taken` };
    await until(taken, options_).finally(() => client.close());
  }

  /**
   * Pushes the delivery of a parcel and adds what must be known of it to the ledger. Webhooks of a parcel arrive in order, so a change that was
   * published twice has arrived by then. @param nodes oldest first @returns violations
   */
  async deliver({ number, poNumber }: SourceParcel, nodes: readonly AdminStatus[], changes = nodes): Promise<string[]> {
    const { merchant, ledger } = this.#stage;
    const { is_terminal } = await merchant.tracking(poNumber);
    this.server.addRows(number, recentRow('delivered', 1));
    await this.pushUntilTaken(number);
    await untilChanged(this.#stage, { number, poNumber }, 'Delivery Success');
    const delivered = 'Delivery Success' as const;
    ledger.tracked.push({ source: this.server.name, poNumber, nodes: [...nodes, delivered], changes: [...changes, delivered] });
    return is_terminal ? [`${this.server.name}: ${poNumber} ended before its delivery`] : [];
  }

  /** The calls that a vendor counts. */
  get countedCalls(): readonly ServerCall[] {
    return this.server.calls.filter(({ kind }) => kind !== 'token');
  }

  /** How many calls there were about a parcel. */
  callsFor({ number }: SourceParcel, kind?: ServerCall['kind']): number {
    return this.server.calls.filter((call) => call.numbers.includes(number) && (kind === undefined || call.kind === kind)).length;
  }

  /** @returns a violation when all processes together exceeded the vendor's rate */
  beyondRate(): string[] {
    const { name } = this.server;
    const perSecond = RATES[name];
    if (perSecond === undefined) return [];
    const windowMs = Math.max(WINDOW_MS, 2000 / perSecond);
    const allowed = Math.round((perSecond * windowMs) / 1000);
    const calls = this.countedCalls;
    const most = Math.max(0, ...calls.map(({ at: from }) => calls.filter(({ at }) => at >= from && at < from + windowMs).length));
    return most > allowed ? [`${name} got ${most} calls in ${windowMs / 1000} s instead of ${allowed} at most`] : [];
  }

  /** Ends the connection and the server. */
  async close(): Promise<void> {
    const path = `/admin/v1/carrier-connections/${this.#connectionId}`;
    await this.#stage.platform
      .admin()
      .expectOk(path, { method: 'DELETE' })
      .finally(() => this.server.close());
  }
}

/** Passes sources that every process knows to `work`, then closes them. None may get more calls than its rate allows. @param names of sources, one for each connection */
export async function withSources(
  stage: SourceStage,
  names: readonly string[],
  work: (...sources: readonly Source[]) => Promise<Findings>,
): Promise<Findings> {
  const sources: Source[] = [];
  try {
    for (const name of names) sources.push(await Source.connect(stage, name));
    await pause(SEEN_MS);
    const { observed, violations } = await work(...sources);
    return { observed, violations: [...violations, ...sources.flatMap((source) => source.beyondRate())] };
  } finally {
    await Promise.all(sources.map((source) => source.close()));
  }
}
