import { setTimeout as pause } from 'node:timers/promises';
import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { platformMode } from '@parcelway/harness/installation';
import { newPoNumber } from '@parcelway/harness/merchant';
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

  /** Ends the connection and the server. */
  async close(): Promise<void> {
    const path = `/admin/v1/carrier-connections/${this.#connectionId}`;
    await this.#stage.platform
      .admin()
      .expectOk(path, { method: 'DELETE' })
      .finally(() => this.server.close());
  }
}

/** Passes so many sources that every process knows to `work`, then closes them. */
async function withSources(stage: SourceStage, count: number, work: (...sources: Source[]) => Promise<Findings>): Promise<Findings> {
  const sources: Source[] = [];
  try {
    while (sources.length < count) sources.push(await Source.connect(stage));
    await pause(SEEN_MS);
    return await work(...sources);
  } finally {
    await Promise.all(sources.map((source) => source.close()));
  }
}

const PARCELS = 16;

/** Two processes poll one source. Each parcel is registered once and asked for once, or twice when it was polled a minute ago. */
function polledTwice(stage: SourceStage): Promise<Findings> {
  return withSources(stage, 1, async (source) => {
    const parcels: SourceParcel[] = [];
    // One after the other: this fault is not about load.
    while (parcels.length < PARCELS) parcels.push(await (source as Source).dispatch());
    for (const parcel of parcels) await untilChanged(stage, parcel, 'In Transit', NEWS_MS);
    const most = { register: 1, query: 2 };
    const kinds = ['register', 'query'] as const;
    const tooOften = parcels.flatMap((parcel) => kinds.filter((kind) => (source?.callsFor(parcel, kind) ?? 0) > most[kind]));
    const delivered = await Promise.all(parcels.map((parcel) => (source as Source).deliver(parcel, ['In Transit'])));
    return {
      observed: `${source?.server.calls.length} calls`,
      violations: [...tooOften.map((kind) => `too many calls (${kind}) for one parcel`), ...delivered.flat()],
    };
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
  return withSources(stage, 2, async (...[calm, asked]) => {
    if (!calm || !asked) throw new Error('Two sources are needed');
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
    name: 'two processes poll the same connection at the same time',
    expected: 'a poll registers a parcel once and asks for it once a minute; every change is published once',
    strike: polledTwice,
  },
  {
    ...shared,
    name: 'SIGKILL to every process of tracking between two polls, and during one',
    expected: 'polls continue; nothing lost, nothing published twice',
    strike: killedBetweenPolls,
  },
];
