import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { recentRow } from '@parcelway/harness/sources/recent-row';
import type { ServerRow } from '@parcelway/harness/sources/source-server';
import { until } from '@parcelway/kernel/testing/until';
import type { Findings } from './fault.ts';
import { beyondRate, callsFor } from './source-calls.ts';
import type { SourceFault } from './source-fault.ts';
import { changesOf, endAndJudge, untilChanged } from './source-verdict.ts';
import { inTransit, type SourceStage, type TrackedParcel, type TrackedSource, withSources } from './tracked-source.ts';

/** A source is asked for a parcel once a minute at most; a poll that waits for it comes within 10 s more. */
const FOUND_MS = 110_000;
const PARCELS = 5;
const COPIES = 4;
const SENDERS = 6;

/** A push that is lost is found by a poll, or by a query where the source pushes otherwise. */
async function lost(stage: SourceStage): Promise<Findings> {
  return withSources(stage, ['17track', '17track'], async (sources) => {
    const [silent, pushing] = sources as [TrackedSource, TrackedSource];
    const [polled, queried] = await Promise.all([silent.tracked(), pushing.tracked()]);
    pushing.server.addRows(queried.number, recentRow('customs', 120));
    await pushing.pushUntilTaken(queried.number);
    await untilChanged(stage, queried, 'Customs Clearance');
    const startedAt = performance.now();
    for (const [source, { number }] of [
      [silent, polled],
      [pushing, queried],
    ] as const)
      source.server.addRows(number, recentRow('out for delivery', 60));
    const asks = async (): Promise<boolean> => (await stage.merchant.tracking(queried.poNumber)).latest_status === 'In Delivery';
    await Promise.all([
      untilChanged(stage, polled, 'In Delivery', FOUND_MS),
      until(asks, { within: FOUND_MS, everyMs: 2000, what: 'a query to find what no push has brought' }),
    ]);
    const seconds = (performance.now() - startedAt) / 1000;
    const asked = [callsFor(silent.server, polled.number, 'query').length, callsFor(pushing.server, queried.number, 'query').length];
    // The first look, and those that a minute apart fit into the time.
    const allowed = 2 + Math.floor(seconds / 60);
    return {
      observed: `a poll and a query had found what was lost after ${seconds.toFixed(0)} s, with ${asked.join(' and ')} queries of the source`,
      violations: [
        ...asked.flatMap((calls) => (calls > allowed ? [`a parcel was asked for ${calls} times in ${seconds.toFixed(0)} s`] : [])),
        ...(await endAndJudge(stage, silent, polled, { nodes: ['In Transit', 'In Delivery'] })),
        ...(await endAndJudge(stage, pushing, queried, { nodes: ['In Transit', 'Customs Clearance', 'In Delivery'] })),
        ...sources.flatMap(({ server }) => beyondRate(server)),
      ],
    };
  });
}

const way: readonly ServerRow[] = [inTransit, recentRow('customs', 120), recentRow('out for delivery', 60), recentRow('delivered', 20)];
const statuses: readonly AdminStatus[] = ['In Transit', 'Customs Clearance', 'In Delivery', 'Delivery Success'];

/** In another order than before. */
function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((one) => ({ one, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
}

/** What a parcel whose pushes came in any order has wrong. A status that came after a later one is a node, and no change. */
async function wrongAfterAll({ merchant, ...stage }: SourceStage, { poNumber }: TrackedParcel): Promise<string[]> {
  const { nodes, is_terminal } = await merchant.tracking(poNumber);
  const seen = nodes.map(({ admin_status }) => admin_status).reverse();
  const changes = changesOf(stage, poNumber);
  const places = changes.map((status) => statuses.indexOf(status));
  const rises = places.every((place, index) => place > (places[index - 1] ?? -1));
  return [
    ...(is_terminal ? [] : [`${poNumber} is not terminal after its delivery`]),
    ...(seen.join() === statuses.join() ? [] : [`${poNumber} has the nodes ${seen.join(', ')}`]),
    ...(rises && changes.at(-1) === 'Delivery Success' ? [] : [`${poNumber} published ${changes.join(', ')}`]),
  ];
}

/** Each state of a parcel is pushed several times, in any order, some of them at the same time. */
async function disordered(stage: SourceStage): Promise<Findings> {
  return withSources(stage, ['17track'], async ([only]) => {
    const source = only as TrackedSource;
    const parcels = await Promise.all(Array.from({ length: PARCELS }, () => source.tracked()));
    const pushes = shuffled(
      parcels.flatMap(({ number }) =>
        way.flatMap((_row, index) => Array.from({ length: COPIES }, () => ({ number, rows: way.slice(0, index + 1) }))),
      ),
    );
    const sender = async (): Promise<void> => {
      for (let push = queue.pop(); push !== undefined; push = queue.pop()) await source.pushUntilTaken(push.number, { rows: push.rows });
    };
    const queue = [...pushes];
    await Promise.all(Array.from({ length: SENDERS }, sender));
    for (const parcel of parcels) await untilChanged(stage, parcel, 'Delivery Success');
    const wrong = await Promise.all(parcels.map((parcel) => wrongAfterAll(stage, parcel)));
    // Webhooks of a parcel come in order: a change that was published twice has come before the one that follows it.
    for (const { number } of parcels) await source.pushUntilTaken(number, { rows: [...way, recentRow('returning', 1)] });
    for (const parcel of parcels) await untilChanged(stage, parcel, 'Returning');
    const more = parcels
      .map(({ poNumber }) => changesOf(stage, poNumber))
      .filter((changes) => changes.slice(-2).join() !== 'Delivery Success,Returning');
    return {
      observed: `${pushes.length} pushes for ${parcels.length} parcels, each state ${COPIES} times: every node once, every change once and forward`,
      violations: [...wrong.flat(), ...more.map((changes) => `published ${changes.join(', ')}`), ...beyondRate(source.server)],
    };
  });
}

/** What may happen to pushes. */
export const sourcePushFaults: readonly SourceFault[] = [
  {
    name: 'a push is lost',
    expected: 'a poll finds the news; where the source pushes, a query does; each at the rate of the source',
    strike: lost,
  },
  {
    name: `pushes come ${COPIES} times and in any order`,
    expected: 'every node once; a change is published once, and never one that is older than the last; terminal by the delivery alone',
    strike: disordered,
  },
];
