import { platformMode } from '@parcelway/harness/installation';
import { Merchant } from '@parcelway/harness/merchant';
import { callRoute } from '@parcelway/harness/route-call';
import { recentRow } from '@parcelway/harness/sources/source-server';
import { until } from '@parcelway/kernel/testing/until';
import type { Fault, Findings } from './fault.ts';
import {
  inTransit,
  type Source,
  type SourceFault,
  type SourceParcel,
  type SourceStage,
  sourceFaultEnv,
  untilChanged,
  withSources,
} from './sources.ts';

/*
 * Faults of the processes that query tracking sources. How each client takes outages of its source: services/tracking/src/sources/clients.test.ts.
 * Lost, late or repeated pushes: services/tracking/src/service-pushes.test.ts.
 */

/** `Retry-After` of a refusal. */
const RESTS_S = 20;
/** Number of parcels per source. */
const PARCELS = { '17track': 20, dhl: 2, easypost: 20 } as const;
const NEWS_MS = 90_000;

/** The merchant as a client of each gateway. Each gateway queries one tracking process. */
function atEachGateway({ platform, merchant }: SourceStage): readonly Merchant[] {
  if (platformMode() === 'embedded') return [merchant];
  const gateways = platform.services().filter(({ name }) => name.startsWith('gateway-'));
  return gateways.map(({ url }) => new Merchant(platform.client(merchant.identity.key, url), merchant.identity));
}

/** Delivers the parcels. @returns violations, also for parcels with more calls than `most` */
async function judged(
  source: Source,
  parcels: readonly SourceParcel[],
  most: Readonly<Record<'register' | 'query', number>>,
): Promise<string[]> {
  const tooOften = parcels.flatMap((parcel) =>
    (['register', 'query'] as const).filter((kind) => source.callsFor(parcel, kind) > most[kind]),
  );
  const delivered = await Promise.all(parcels.map((parcel) => source.deliver(parcel, ['In Transit'])));
  return [...tooOften.map((kind) => `${source.server.name} got too many calls (${kind}) for one parcel`), ...delivered.flat()];
}

const dispatchAll = (source: Source): Promise<SourceParcel[]> =>
  Promise.all(Array.from({ length: PARCELS[source.server.name as keyof typeof PARCELS] }, () => source.dispatch(inTransit)));

/** Waits until polls have brought the news of every parcel. */
async function polled(stage: SourceStage, source: Source): Promise<string[]> {
  const parcels = await dispatchAll(source);
  for (const parcel of parcels) await untilChanged(stage, parcel, 'In Transit', NEWS_MS);
  // A parcel is not polled again within a minute; the first ones may be a minute old by now.
  return judged(source, parcels, { register: 1, query: 2 });
}

/** Queries many parcels at all processes at once, beyond the rate limit, until each has its news. */
async function queried(stage: SourceStage, source: Source): Promise<string[]> {
  source.server.setMood({ kind: 'status', status: 429, retryAfter: RESTS_S });
  const parcels = await dispatchAll(source);
  source.server.setMood({ kind: 'well' });
  const merchants = atEachGateway(stage);
  const ask = async (merchant: Merchant, { poNumber }: SourceParcel): Promise<void> => {
    const hasNews = async (): Promise<boolean> => (await merchant.tracking(poNumber)).nodes.length > 0;
    await until(hasNews, { within: NEWS_MS, everyMs: 500, what: `the news of ${poNumber}` });
  };
  await Promise.all(merchants.flatMap((merchant) => parcels.map((parcel) => ask(merchant, parcel))));
  // Each process may have asked before the other one had the response, and a poll besides; the first registration may have been the refused one.
  return judged(source, parcels, { register: merchants.length + 1, query: merchants.length + 1 });
}

/** Two processes query sources. */
const replicaFault: SourceFault = {
  name: 'two processes poll the same connections at the same time',
  expected:
    'a poll registers a parcel once and asks for it once a minute; both keep one rate, for queries too; every change is published once',
  strike: (stage) =>
    withSources(stage, Object.keys(PARCELS), async (...sources) => {
      const [track, dhl, post] = sources as [Source, Source, Source];
      const violations = [...(await Promise.all([polled(stage, track), polled(stage, dhl)])), await queried(stage, post)];
      const calls = sources.map(({ server: { name, calls: all } }) => `${name} ${all.length} calls`);
      return { observed: `${atEachGateway(stage).length} processes; ${calls.join(', ')}`, violations: violations.flat() };
    }),
};

/** A poll that was interrupted by a kill runs again after its lease of a minute. */
const FOUND_MS = 120_000;
const BACK_MS = 60_000;
const PUSHED_PARCELS = 10;
const PUSHES_EACH = 12;
/** Numbers of accepted pushes at which the processes are killed. */
const KILLED_AFTER = [25, 70];

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
async function killedBetweenPolls(stage: SourceStage, calm: Source, asked: Source): Promise<Findings> {
  const between = await calm.tracked();
  // A query at one process may register a parcel that the poll of another one is registering: the vendor counts it once.
  const registered = calm.callsFor(between, 'register');
  asked.server.setMood({ kind: 'hangs' });
  const amid = await asked.dispatch(inTransit);
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
}

/** Kills the processes during a burst of pushes. Each push has one row, so a lost push leaves a gap. */
async function killedAmidPushes(stage: SourceStage, source: Source): Promise<Findings> {
  const parcels = await Promise.all(Array.from({ length: PUSHED_PARCELS }, () => source.tracked()));
  const rows = Array.from({ length: PUSHES_EACH }, (_, index) =>
    index === PUSHES_EACH - 1 ? recentRow('out for delivery', 60) : recentRow('in transit', 170 - 5 * index),
  );
  let taken = 0;
  const sending = parcels.map(async ({ number }) => {
    for (const row of rows) {
      await source.pushUntilTaken(number, { rows: [row] });
      taken += 1;
    }
  });
  const killing = async (): Promise<void> => {
    for (const count of KILLED_AFTER) {
      await until(() => taken >= count, { within: BACK_MS, what: `${count} pushes to be taken` });
      await killWatchers(stage, String(parcels[0]?.poNumber));
    }
  };
  await Promise.all([...sending, killing()]);
  const nodes = [...Array.from({ length: PUSHES_EACH }, () => 'In Transit' as const), 'In Delivery' as const];
  const violations: string[] = [];
  for (const parcel of parcels) {
    await untilChanged(stage, parcel, 'In Delivery', NEWS_MS);
    source.server.replaceRows(parcel.number);
    violations.push(...(await source.deliver(parcel, nodes, ['In Transit', 'In Delivery'])));
  }
  return { observed: `${taken} pushes taken around ${KILLED_AFTER.length} kills`, violations };
}

/** Faults of the processes that query sources. They must run one at a time. */
export const sourceKillFaults: readonly SourceFault[] = [
  {
    name: 'SIGKILL to every process of tracking between two polls, and during one',
    expected: 'polls continue; nothing lost, nothing published twice',
    strike: (stage) =>
      withSources(stage, ['17track', '17track'], (calm, asked) => killedBetweenPolls(stage, calm as Source, asked as Source)),
  },
  {
    name: 'SIGKILL to every process of tracking during a burst of pushes',
    expected: 'an accepted push has its effect once; the others are sent again',
    strike: (stage) => withSources(stage, ['17track'], (source) => killedAmidPushes(stage, source as Source)),
  },
];

/** All of them, for the table: with two processes of each service. */
export const sourceFaults: readonly Fault[] = [replicaFault, ...sourceKillFaults].map((fault) => ({
  ...fault,
  group: 'Tracking sources',
  servers: 'single',
  env: { ...sourceFaultEnv, REPLICAS: '2' },
}));
