import { setTimeout as pause } from 'node:timers/promises';
import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { platformMode } from '@parcelway/harness/installation';
import { Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { callRoute } from '@parcelway/harness/route-call';
import { connectionTo, recentRow, type ServerCall, type SourceServer } from '@parcelway/harness/sources/source-server';
import { startSourceServer } from '@parcelway/harness/sources/source-servers';
import { until } from '@parcelway/kernel/testing/until';
import { changesOf } from '../ledger/check-tracked.ts';
import { dispatchedWith, newTrackingNumber, pushTo } from '../source-parcels.ts';
import type { Fault, FaultStage, Findings } from './fault.ts';

/*
 * Faults of the processes that query tracking sources. How each client takes outages of its source: services/tracking/src/sources/vendors.test.ts.
 * Lost, late or repeated pushes: services/tracking/src/service-pushes.test.ts.
 */

/** What a fault of a tracking source works with, without load. */
export type SourceStage = Pick<FaultStage, 'platform' | 'merchant' | 'receivers' | 'ledger'>;

/** Variables of a platform for these faults: a poll comes as soon as a source may be asked again. */
export const sourceFaultEnv = { CARRIER_TIMEOUT_MS: '1500', TRACKING_POLL_SCHEDULE: '120d:5s' } as const;

/** A parcel that a source knows. */
interface SourceParcel {
  readonly number: string;
  readonly poNumber: string;
}

const VENDOR = '17track';
/** Calls that the vendor allows in a window (docs/tracking.md: three a second). A busy machine delays calls, so the rate is judged over some seconds. */
const RATE = { calls: 15, windowMs: 5000 };
/** Every process sees a connection, or a change of one, within 5 s. */
const SEEN_MS = 5500;
const WITHIN_MS = 60_000;
const NEWS_MS = 90_000;

/** Waits until the merchant has received a change of the parcel in a webhook, without a query. */
async function untilChanged(
  { receivers }: SourceStage,
  { poNumber }: SourceParcel,
  status: AdminStatus,
  within = WITHIN_MS,
): Promise<void> {
  const hasCome = (): boolean => changesOf(receivers[0], poNumber).includes(status);
  await until(hasCome, { within, everyMs: 100, what: `${status} of ${poNumber} in a webhook` });
}

/** A vendor's server, and the operator's connection to it for a separate carrier, whose code is that of the connection. */
class Source {
  readonly server: SourceServer;
  readonly #connectionId = newPoNumber('con').toLowerCase();
  readonly #stage: SourceStage;

  private constructor(stage: SourceStage, server: SourceServer) {
    this.#stage = stage;
    this.server = server;
  }

  /** Starts the server and connects the platform to it. */
  static async connect(stage: SourceStage): Promise<Source> {
    const server = await startSourceServer(VENDOR);
    const source = new Source(stage, server);
    const body = connectionTo(server, source.#connectionId, [source.#connectionId]);
    await stage.platform.admin().expectOk('/admin/v1/carrier-connections', { body });
    return source;
  }

  /** Submits a forecast and hands its parcel, which is in transit, to the carrier. */
  async dispatch(): Promise<SourceParcel> {
    const number = newTrackingNumber('TRK');
    this.server.addRows(number, recentRow('in transit', 180));
    return { number, poNumber: await dispatchedWith(this.#stage.merchant, this.#connectionId, number) };
  }

  /**
   * Pushes the delivery of a parcel, again until it is taken, and adds what must be known of the parcel to the ledger. Webhooks of a parcel arrive in order,
   * so a change that was published twice has arrived by then. @param nodes oldest first @returns violations
   */
  async deliver({ number, poNumber }: SourceParcel, nodes: readonly AdminStatus[]): Promise<string[]> {
    const { merchant, ledger } = this.#stage;
    const { is_terminal } = await merchant.tracking(poNumber);
    this.server.addRows(number, recentRow('delivered', 1));
    const push = async () => (await pushTo(this.#stage, `${VENDOR}/${this.#connectionId}`, this.server.signPush(number))).status === 200;
    await until(push, { within: WITHIN_MS, everyMs: 200, what: 'a push to be taken' });
    await untilChanged(this.#stage, { number, poNumber }, 'Delivery Success');
    const all = [...nodes, 'Delivery Success' as const];
    ledger.tracked.push({ source: VENDOR, poNumber, nodes: all, changes: all });
    return is_terminal ? [`${poNumber} ended before its delivery`] : [];
  }

  /** How many calls there were about a parcel. */
  callsFor({ number }: SourceParcel, kind?: ServerCall['kind']): number {
    return this.server.calls.filter((call) => call.numbers.includes(number) && (kind === undefined || call.kind === kind)).length;
  }

  /** @returns a violation when all processes together exceeded the vendor's rate */
  beyondRate(): string[] {
    const { calls } = this.server;
    const most = Math.max(0, ...calls.map(({ at: from }) => calls.filter(({ at }) => at >= from && at < from + RATE.windowMs).length));
    return most > RATE.calls ? [`${most} calls in ${RATE.windowMs / 1000} s instead of ${RATE.calls} at most`] : [];
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

/** Passes two sources that every process knows to `work`, then closes them. None may get more calls than its rate allows. */
async function withSources(stage: SourceStage, work: (one: Source, other: Source) => Promise<Findings>): Promise<Findings> {
  const sources: Source[] = [];
  try {
    const connect = async (): Promise<Source> => {
      const source = await Source.connect(stage);
      sources.push(source);
      return source;
    };
    const [one, other] = [await connect(), await connect()];
    await pause(SEEN_MS);
    const { observed, violations } = await work(one, other);
    return { observed, violations: [...violations, ...sources.flatMap((source) => source.beyondRate())] };
  } finally {
    await Promise.all(sources.map((source) => source.close()));
  }
}

const PARCELS = 16;

async function dispatchAll(source: Source): Promise<SourceParcel[]> {
  const parcels: SourceParcel[] = [];
  // One after the other: these faults are not about load.
  while (parcels.length < PARCELS) parcels.push(await source.dispatch());
  return parcels;
}

/** Delivers parcels. @param most calls for each of them, of each kind @returns violations */
async function judged(source: Source, parcels: readonly SourceParcel[], most: { readonly register: number; readonly query: number }) {
  const kinds = ['register', 'query'] as const;
  const tooOften = parcels.flatMap((parcel) => kinds.filter((kind) => source.callsFor(parcel, kind) > most[kind]));
  const delivered = await Promise.all(parcels.map((parcel) => source.deliver(parcel, ['In Transit'])));
  return [...tooOften.map((kind) => `too many calls (${kind}) for one parcel`), ...delivered.flat()];
}

/** Waits until polls have brought the news of every parcel. */
async function polled(stage: SourceStage, source: Source): Promise<string[]> {
  const parcels = await dispatchAll(source);
  for (const parcel of parcels) await untilChanged(stage, parcel, 'In Transit', NEWS_MS);
  // A parcel is not polled again within a minute; the first ones may be a minute old by now.
  return judged(source, parcels, { register: 1, query: 2 });
}

/** `Retry-After` of a refusal, in seconds. */
const RESTS_S = 20;

/** Queries many parcels at all processes at once, beyond the rate limit, until each has its news. */
async function queried({ platform, merchant }: SourceStage, source: Source): Promise<string[]> {
  source.server.setMood({ kind: 'status', status: 429, retryAfter: RESTS_S });
  const parcels = await dispatchAll(source);
  source.server.setMood({ kind: 'well' });
  // Each gateway queries one tracking process.
  const gateways = platform.services().filter(({ name }) => name.startsWith('gateway-'));
  const merchants = gateways.map(({ url }) => new Merchant(platform.client(merchant.identity.key, url), merchant.identity));
  const ask = async (asking: Merchant, { poNumber }: SourceParcel): Promise<void> => {
    const hasNews = async (): Promise<boolean> => (await asking.tracking(poNumber)).nodes.length > 0;
    await until(hasNews, { within: NEWS_MS, everyMs: 500, what: `the news of ${poNumber}` });
  };
  await Promise.all(merchants.flatMap((asking) => parcels.map((parcel) => ask(asking, parcel))));
  // Each process may have asked before the other one had the response, and a poll besides; the first registration may have been the refused one.
  return judged(source, parcels, { register: merchants.length + 1, query: merchants.length + 1 });
}

/** Two processes query sources at the same time. */
function polledTwice(stage: SourceStage): Promise<Findings> {
  return withSources(stage, async (one, other) => {
    const violations = [...(await polled(stage, one)), ...(await queried(stage, other))];
    return { observed: `${one.server.calls.length} and ${other.server.calls.length} calls`, violations };
  });
}

/** A poll that was interrupted by a kill runs again after its lease of a minute. */
const FOUND_MS = 120_000;
const BACK_MS = 60_000;

/** Kills every process that queries sources, in embedded mode the only one. Resolves when all run again. */
async function killWatchers({ platform, merchant }: SourceStage, poNumber: string): Promise<void> {
  if (platformMode() === 'embedded') {
    await platform.kill();
    await platform.start();
    return;
  }
  const watchers = () => platform.services().filter(({ name }) => name.startsWith('tracking-'));
  const before = watchers();
  for (const { pid } of before) if (pid !== null) process.kill(pid, 'SIGKILL');
  const areBack = (): boolean => watchers().every(({ pid, starts }, index) => pid !== null && starts > (before[index]?.starts ?? 0));
  await until(areBack, { within: BACK_MS, what: 'the processes of tracking to run again' });
  const responds = async (): Promise<boolean> =>
    ['0', '50001'].includes((await callRoute(merchant.client, 'queryTracking', { query: { po_number: poNumber } })).code);
  await until(responds, { within: BACK_MS, everyMs: 200, what: 'tracking to respond again' });
}

/** Kills the processes between two polls of one parcel and during a poll of another. */
export function killedBetweenPolls(stage: SourceStage): Promise<Findings> {
  return withSources(stage, async (calm, asked) => {
    const between = await calm.dispatch();
    await stage.merchant.untilTracking(between.poNumber, ({ nodes }) => nodes.length === 1, 'what the source knows', WITHIN_MS);
    // A query at one process may register a parcel that the poll of another one is registering: the vendor counts it once.
    const registered = calm.callsFor(between, 'register');
    asked.server.setMood({ kind: 'hangs' });
    const amid = await asked.dispatch();
    await until(() => asked.callsFor(amid) > 0, { what: 'the source to be asked' });
    await killWatchers(stage, between.poNumber);
    asked.server.setMood({ kind: 'well' });
    calm.server.addRows(between.number, recentRow('out for delivery', 60));
    await Promise.all([untilChanged(stage, between, 'In Delivery', FOUND_MS), untilChanged(stage, amid, 'In Transit', FOUND_MS)]);
    return {
      observed: 'polls brought the news of both parcels',
      violations: [
        ...(calm.callsFor(between, 'register') === registered ? [] : ['a registration was lost with the processes']),
        ...(await calm.deliver(between, ['In Transit', 'In Delivery'])),
        ...(await asked.deliver(amid, ['In Transit'])),
      ],
    };
  });
}

const shared = { group: 'Tracking sources', servers: 'single', env: { ...sourceFaultEnv, REPLICAS: '2' } } as const;

/** All of them, with two processes of each service. */
export const sourceFaults: readonly Fault[] = [
  {
    ...shared,
    name: 'two processes poll the same connections at the same time',
    expected:
      'a poll registers a parcel once and asks for it once a minute; both keep one rate, for queries too; every change is published once',
    strike: polledTwice,
  },
  {
    ...shared,
    name: 'SIGKILL to every process of tracking between two polls, and during one',
    expected: 'polls continue; nothing lost, nothing published twice',
    strike: killedBetweenPolls,
  },
];
