import type { ServerMood } from '@parcelway/harness/sources/source-server';
import { sourceServers } from '@parcelway/harness/sources/source-servers';
import { until } from '@parcelway/kernel/testing/until';
import type { Findings } from './fault.ts';
import { beyondRate, countedCalls } from './source-calls.ts';
import { CARRIER_TIMEOUT_MS, type SourceFault } from './source-fault.ts';
import { askHonestly, changesOf, endAndJudge } from './source-verdict.ts';
import { inTransit, type SourceStage, type TrackedSource, withSources } from './tracked-source.ts';

const QUERIES = 3;
/** A query may get a token, register the parcel and ask for it: each call has its deadline, and may wait for its turn. */
const MAX_WAIT_MS = 3 * CARRIER_TIMEOUT_MS + 5000;
/** A circuit breaker that is open probes after 10 s. */
const BELIEVED_MS = 40_000;

/** What came of an outage of one source. */
interface Outage {
  readonly calls: number;
  /** From the end of the fault until the merchant has the news. */
  readonly newsAfterMs: number;
  readonly violations: readonly string[];
}

/** Brings what the source knows to the merchant. DHL counts each question, also one without a response, so a parcel of DHL waits for a push. */
async function bringNews(
  { merchant }: SourceStage,
  source: TrackedSource,
  { number, poNumber }: { number: string; poNumber: string },
): Promise<void> {
  if (source.server.name === 'dhl') await source.pushUntilTaken(number);
  const isThere = async (): Promise<boolean> => (await merchant.tracking(poNumber)).nodes.length === 1;
  await until(isThere, { within: BELIEVED_MS, everyMs: 500, what: `${source.server.name} to be believed again` });
}

async function outageOf(stage: SourceStage, source: TrackedSource, mood: ServerMood): Promise<Outage> {
  const { server } = source;
  server.setMood(mood);
  const parcel = await source.dispatch(inTransit);
  await until(() => server.calls.length > 0, { what: `${server.name} to be asked` });
  const dishonest = await askHonestly(stage, parcel, { times: QUERIES, maxMs: MAX_WAIT_MS });
  const calls = countedCalls(server).length;
  const published = changesOf(stage, parcel.poNumber);
  server.setMood({ kind: 'well' });
  const healedAt = performance.now();
  await bringNews(stage, source, parcel);
  const newsAfterMs = performance.now() - healedAt;
  const judged = await endAndJudge(stage, source, parcel, { nodes: ['In Transit'] });
  return {
    calls,
    newsAfterMs,
    violations: [
      ...dishonest.map((what) => `${server.name}: ${what}`),
      ...published.map((status) => `${server.name}: ${status} was published before it was known`),
      ...judged,
      ...beyondRate(server),
    ],
  };
}

/** Every source misbehaves in one way while its first parcel comes under watch. */
async function outage(stage: SourceStage, mood: ServerMood): Promise<Findings> {
  const outages = await withSources(stage, Object.keys(sourceServers), (sources) =>
    Promise.all(sources.map((source) => outageOf(stage, source, mood))),
  );
  const calls = outages.reduce((sum, one) => sum + one.calls, 0);
  const slowestMs = Math.max(...outages.map(({ newsAfterMs }) => newsAfterMs));
  return {
    observed: `${outages.length} sources, a parcel and ${QUERIES} queries each: ${calls} calls, tokens left out; the news had come ${(slowestMs / 1000).toFixed(1)} s after the end at the latest`,
    violations: outages.flatMap(({ violations }) => violations),
  };
}

const moods: Readonly<Record<string, ServerMood>> = {
  'closes every connection': { kind: 'drops' },
  'responds after the deadline': { kind: 'slow', ms: 2 * CARRIER_TIMEOUT_MS },
  'responds with 500': { kind: 'status', status: 500 },
  'responds with 200 and HTML': { kind: 'wrong', body: '<!doctype html><html><title>Down for maintenance</title></html>' },
  'responds with half a JSON': { kind: 'wrong', body: '{"code":0,"data":{"accepted":[{"number":"TRK' },
  'responds with JSON of another kind': { kind: 'wrong', body: '{"shipment":{"state":"DELIVERED"},"code":[],"data":7}' },
};

/** What each of the sources may do to every call. */
export const sourceOutageFaults: readonly SourceFault[] = Object.entries(moods).map(([name, mood]) => ({
  name: `each source ${name}`,
  expected:
    '50001 with Retry-After, or what is known with its age; the rate is kept; nothing wrong stored or published; the news comes afterwards, once',
  strike: (stage) => outage(stage, mood),
}));
