import { setTimeout as pause } from 'node:timers/promises';
import type { ServerMood } from '@parcelway/harness/sources/source-server';
import { sourceServers } from '@parcelway/harness/sources/source-servers';
import { until } from '@parcelway/kernel/testing/until';
import type { Findings } from './fault.ts';
import { beyondRate, callsBetween, countedCalls, ON_ITS_WAY_MS } from './source-calls.ts';
import { CARRIER_TIMEOUT_MS, type SourceFault } from './source-fault.ts';
import { letTimePass } from './source-ledger.ts';
import { askHonestly, changesOf, endAndJudge } from './source-verdict.ts';
import { inTransit, type SourceStage, type TrackedSource, withSources } from './tracked-source.ts';

const QUERIES = 3;
/** A query may get a token, register the parcel and ask for it: each call has its deadline, and may wait for its turn. */
const MAX_WAIT_MS = 3 * CARRIER_TIMEOUT_MS + 5000;
/** A circuit breaker that is open probes after 10 s. */
const BELIEVED_MS = 60_000;
/** How long a source that refuses calls for an hour is looked at. */
const LEFT_ALONE_MS = 5000;

/** What sources do to every call. */
interface Outage {
  readonly mood: ServerMood;
  /** Those that do so; default: all, since each client has responses of its own. */
  readonly sources?: readonly string[];
  /** The source says that it may not be asked for an hour or a day, so that nobody asks it, and a push is taken all the same. */
  readonly rests?: true;
}

const outages: Readonly<Record<string, Outage>> = {
  'each source closes every connection': { mood: { kind: 'drops' } },
  'each source responds after the deadline': { mood: { kind: 'slow', ms: 2 * CARRIER_TIMEOUT_MS } },
  'each source responds with 500': { mood: { kind: 'status', status: 500 } },
  'each source responds with 200 and HTML': {
    mood: { kind: 'wrong', body: '<!doctype html><html><title>Down for maintenance</title></html>' },
  },
  'each source responds with half a JSON': { mood: { kind: 'wrong', body: '{"code":0,"data":{"accepted":[{"number":"TRK' } },
  'each source responds with JSON of another kind': {
    mood: { kind: 'wrong', body: '{"shipment":{"state":"DELIVERED"},"code":[],"data":7}' },
  },
  'the key of a source is revoked': { mood: { kind: 'key revoked' }, sources: ['17track'] },
  'a source responds with 429 for an hour': { mood: { kind: 'status', status: 429, retryAfter: 3600 }, sources: ['easypost'], rests: true },
  'the quota of a source is used up': { mood: { kind: 'quota used up' }, sources: ['17track'], rests: true },
};

/** What came of an outage of one source. */
interface Outcome {
  readonly calls: number;
  /** From the end of the fault until the merchant has the news. */
  readonly newsAfterMs: number;
  readonly violations: readonly string[];
}

/** The source is left alone until its time is over, and then asked. @returns calls that came too early */
async function rest(stage: SourceStage, source: TrackedSource, refusedAt: number): Promise<string[]> {
  await pause(LEFT_ALONE_MS);
  const early = callsBetween(source.server, refusedAt, Date.now());
  await letTimePass(stage, source);
  return early;
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

async function outageOf(stage: SourceStage, source: TrackedSource, { mood, rests }: Outage): Promise<Outcome> {
  const { server } = source;
  server.setMood(mood);
  const parcel = await source.dispatch(inTransit);
  const refused = await until(() => server.calls[0], { what: `${server.name} to be asked` });
  // A call that was on its way at that time is refused too.
  if (rests) await pause(ON_ITS_WAY_MS);
  const dishonest = await askHonestly(stage, parcel, { times: QUERIES, maxMs: MAX_WAIT_MS });
  const calls = countedCalls(server).length;
  const published = changesOf(stage, parcel.poNumber);
  server.setMood({ kind: 'well' });
  const early = rests ? await rest(stage, source, refused.at) : [];
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
      ...early,
      ...judged,
      ...beyondRate(server),
    ],
  };
}

/** Sources misbehave in one way while their first parcel comes under watch. */
async function strike(stage: SourceStage, outage: Outage): Promise<Findings> {
  const outcomes = await withSources(stage, outage.sources ?? Object.keys(sourceServers), (sources) =>
    Promise.all(sources.map((source) => outageOf(stage, source, outage))),
  );
  const calls = outcomes.reduce((sum, one) => sum + one.calls, 0);
  const slowestMs = Math.max(...outcomes.map(({ newsAfterMs }) => newsAfterMs));
  return {
    observed: `${outcomes.length} sources, a parcel and ${QUERIES} queries each: ${calls} calls, tokens left out; the news had come ${(slowestMs / 1000).toFixed(1)} s after the end at the latest`,
    violations: outcomes.flatMap(({ violations }) => violations),
  };
}

/** What sources may do to every call. */
export const sourceOutageFaults: readonly SourceFault[] = Object.entries(outages).map(([name, outage]) => ({
  name,
  expected: `50001 with Retry-After, or what is known with its age; the rate is kept; nothing wrong stored or published; ${outage.rests ? 'no call before the time is over; ' : ''}the news comes afterwards, once`,
  strike: (stage) => strike(stage, outage),
}));
