import { platformMode } from '@parcelway/harness/installation';
import { Merchant } from '@parcelway/harness/merchant';
import { until } from '@parcelway/kernel/testing/until';
import type { Findings } from './fault.ts';
import { beyondRate, callsFor } from './source-calls.ts';
import type { SourceFault } from './source-fault.ts';
import { letTimePass } from './source-ledger.ts';
import { endAndJudge, untilChanged } from './source-verdict.ts';
import { inTransit, type SourceStage, type TrackedParcel, type TrackedSource, withSources } from './tracked-source.ts';

/** Parcels by the source that is asked for them. */
const PARCELS = { '17track': 20, dhl: 2, easypost: 20 } as const;
const NEWS_MS = 90_000;
const AGAIN_MS = 100;
/** Longer than this test runs: no poll comes between its queries. */
const REFUSED_S = 600;

/** Parcels that a source knows, each handed to its carrier. */
function dispatchAll(source: TrackedSource): Promise<TrackedParcel[]> {
  const length = PARCELS[source.server.name as keyof typeof PARCELS];
  return Promise.all(Array.from({ length }, () => source.dispatch(inTransit)));
}

/** The merchant at each gateway. A gateway has the queries of its own process of tracking. */
function atEachGateway({ platform, merchant }: SourceStage): readonly Merchant[] {
  if (platformMode() === 'embedded') return [merchant];
  const gateways = platform.services().filter(({ name }) => name.startsWith('gateway-'));
  return gateways.map(({ url }) => new Merchant(platform.client(merchant.identity.key, url), merchant.identity));
}

/** Parcels that were asked for more often than `limits` say. */
function askedTooOften(
  { server }: TrackedSource,
  parcels: readonly TrackedParcel[],
  limits: { register: number; query: number },
): string[] {
  return parcels.flatMap(({ number }) =>
    (['register', 'query'] as const).flatMap((kind) => {
      const calls = callsFor(server, number, kind).length;
      return calls > limits[kind] ? [`${server.name} got ${calls} calls (${kind}) for one parcel`] : [];
    }),
  );
}

/** The polls of all processes find what is due. */
async function polled(stage: SourceStage, source: TrackedSource): Promise<string[]> {
  const parcels = await dispatchAll(source);
  for (const parcel of parcels) await untilChanged(stage, parcel, 'In Transit', NEWS_MS);
  // Within the minute of a report nobody asks again; those that came first may be a minute old by now.
  const tooOften = askedTooOften(source, parcels, { register: 1, query: 2 });
  const judged = await Promise.all(parcels.map((parcel) => endAndJudge(stage, source, parcel, { nodes: ['In Transit'] })));
  return [...tooOften, ...judged.flat(), ...beyondRate(source.server)];
}

/** Queries for many parcels reach all processes at the same moment, more of them than the rate allows, until each has its news. */
async function queried(stage: SourceStage, source: TrackedSource): Promise<string[]> {
  const { server } = source;
  server.setMood({ kind: 'status', status: 429, retryAfter: REFUSED_S });
  const parcels = await dispatchAll(source);
  server.setMood({ kind: 'well' });
  const merchants = atEachGateway(stage);
  await letTimePass(stage, source);
  const ask = async (merchant: Merchant, { poNumber }: TrackedParcel): Promise<void> => {
    const hasNews = async (): Promise<boolean> => (await merchant.tracking(poNumber)).nodes.length > 0;
    await until(hasNews, { within: NEWS_MS, everyMs: AGAIN_MS, what: `the news of ${poNumber}` });
  };
  await Promise.all(merchants.flatMap((merchant) => parcels.map((parcel) => ask(merchant, parcel))));
  // Each process may have asked before the other one had the response; the first registration may have been the refused one.
  const tooOften = askedTooOften(source, parcels, { register: merchants.length + 1, query: merchants.length });
  const judged = await Promise.all(parcels.map((parcel) => endAndJudge(stage, source, parcel, { nodes: ['In Transit'] })));
  return [...tooOften, ...judged.flat(), ...beyondRate(server)];
}

async function sideBySide(stage: SourceStage): Promise<Findings> {
  return withSources(stage, Object.keys(PARCELS), async (sources) => {
    const [track, dhl, post] = sources as [TrackedSource, TrackedSource, TrackedSource];
    const violations = [...(await Promise.all([polled(stage, track), polled(stage, dhl)])), await queried(stage, post)];
    const calls = sources.map(
      ({ server: { name, calls: all } }) => `${name} ${all.length} calls for ${PARCELS[name as keyof typeof PARCELS]} parcels`,
    );
    return { observed: `${atEachGateway(stage).length} processes; ${calls.join(', ')}`, violations: violations.flat() };
  });
}

/** Two processes ask sources. */
export const sourceReplicaFault: SourceFault = {
  name: 'two processes poll the same connections at the same time',
  expected:
    'a poll registers a parcel once and asks for it once a minute; both processes keep one rate, for queries too; every change is published once',
  strike: sideBySide,
};
