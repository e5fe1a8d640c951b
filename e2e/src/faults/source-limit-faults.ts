import { setTimeout as pause } from 'node:timers/promises';
import { recentRow } from '@parcelway/harness/sources/recent-row';
import type { ServerMood } from '@parcelway/harness/sources/source-server';
import { until } from '@parcelway/kernel/testing/until';
import type { Findings } from './fault.ts';
import { beyondRate, callsBetween, callsFor, countedCalls, ON_ITS_WAY_MS } from './source-calls.ts';
import type { SourceFault } from './source-fault.ts';
import { letTimePass, useUp } from './source-ledger.ts';
import { askHonestly, endAndJudge, untilChanged } from './source-verdict.ts';
import { inTransit, type SourceStage, type TrackedParcel, type TrackedSource, withSources } from './tracked-source.ts';

const RETRY_AFTER_S = 20;
/** Their calls would come for longer than those on their way do. */
const PARCELS = 8;
/** Parcels that wait for the same time come back within 10 s of it, and each may wait for its turn once more. */
const NEWS_MS = 60_000;
/** How long a source that refuses calls for an hour is looked at. */
const LEFT_ALONE_MS = 5000;
const CALLS_PER_DAY_OF_DHL = 250;

/** What came of a refusal for some seconds. */
interface Refusal {
  readonly nextCallAfterMs: number;
  readonly calls: number;
  readonly violations: readonly string[];
}

/** A source refuses the first call for some seconds, and takes every later one. */
async function refusedOnce(stage: SourceStage, source: TrackedSource): Promise<Refusal> {
  const { server } = source;
  server.setMood({ kind: 'status', status: 429, retryAfter: RETRY_AFTER_S });
  const dispatched = Promise.all(Array.from({ length: PARCELS }, () => source.dispatch(inTransit)));
  const { at: refusedAt } = await until(() => server.calls[0], { what: 'the source to be asked' });
  server.setMood({ kind: 'well' });
  const parcels = await dispatched;
  const [first] = parcels as [TrackedParcel];
  const dishonest = await askHonestly(stage, first, { times: 10 });
  const endsAt = refusedAt + RETRY_AFTER_S * 1000;
  if (Date.now() > endsAt) throw new Error('The machine is too slow: the refusal had ended before all parcels were dispatched');
  for (const parcel of parcels) await untilChanged(stage, parcel, 'In Transit', NEWS_MS);
  const nextAt = server.calls.find(({ at }) => at > refusedAt)?.at ?? Number.NaN;
  const judged = await Promise.all(parcels.map((parcel) => endAndJudge(stage, source, parcel, { nodes: ['In Transit'] })));
  return {
    nextCallAfterMs: nextAt - refusedAt,
    calls: countedCalls(server).length,
    violations: [...dishonest, ...callsBetween(server, refusedAt, endsAt), ...judged.flat(), ...beyondRate(server)],
  };
}

async function throttled(stage: SourceStage): Promise<Findings> {
  const refusals = await withSources(stage, ['17track', 'easypost'], (sources) =>
    Promise.all(sources.map((source) => refusedOnce(stage, source))),
  );
  const seconds = refusals.map(({ nextCallAfterMs }) => (nextCallAfterMs / 1000).toFixed(1)).join(' and ');
  const calls = refusals.map((one) => one.calls).join(' and ');
  return {
    observed: `2 sources with ${PARCELS} parcels each: the next calls came ${seconds} s after the refusals; polls brought all news in ${calls} calls`,
    violations: refusals.flatMap(({ violations }) => violations),
  };
}

/** A source refuses calls for an hour: what is pushed is taken, and after the hour the source is asked again. */
async function refusedForAnHour(stage: SourceStage, source: TrackedSource, mood: ServerMood): Promise<string[]> {
  const { server } = source;
  const known = await source.tracked();
  const callsBefore = server.calls.length;
  server.setMood(mood);
  const waiting = await source.dispatch(inTransit);
  const refused = await until(() => server.calls[callsBefore], { what: `${server.name} to be asked` });
  // A call that was on its way at that time is refused too.
  await pause(ON_ITS_WAY_MS);
  server.setMood({ kind: 'well' });
  await pause(LEFT_ALONE_MS);
  const dishonest = await askHonestly(stage, waiting, { times: 10 });
  server.addRows(known.number, recentRow('out for delivery', 60));
  await source.pushUntilTaken(known.number);
  await untilChanged(stage, known, 'In Delivery');
  const early = callsBetween(server, refused.at, Date.now());
  await letTimePass(stage, source);
  await stage.merchant.untilTracking(waiting.poNumber, ({ nodes }) => nodes.length === 1, 'the news after the hour', NEWS_MS);
  return [
    ...dishonest,
    ...early,
    ...(await endAndJudge(stage, source, known, { nodes: ['In Transit', 'In Delivery'] })),
    ...(await endAndJudge(stage, source, waiting, { nodes: ['In Transit'] })),
    ...beyondRate(server),
  ];
}

async function forAnHour(stage: SourceStage): Promise<Findings> {
  const violations = await withSources(stage, ['17track', 'easypost'], async ([track, post]) => [
    ...(await Promise.all([
      refusedForAnHour(stage, track as TrackedSource, { kind: 'quota used up' }),
      refusedForAnHour(stage, post as TrackedSource, { kind: 'status', status: 429, retryAfter: 3600 }),
    ])),
  ]);
  return {
    observed:
      '2 sources: no call after the refusal; what was pushed meanwhile was published; asked again once the ledger said that the hour was over',
    violations: violations.flat(),
  };
}

/** The calls of a day are used up as far as our own ledger knows. */
async function ownQuota(stage: SourceStage): Promise<Findings> {
  return withSources(stage, ['dhl'], async ([dhl]) => {
    const source = dhl as TrackedSource;
    const { server } = source;
    await useUp(stage, source, CALLS_PER_DAY_OF_DHL);
    const [pushed, waiting] = [await source.dispatch(inTransit), await source.dispatch(inTransit)];
    await pause(LEFT_ALONE_MS);
    const dishonest = [...(await askHonestly(stage, pushed, { times: 5 })), ...(await askHonestly(stage, waiting, { times: 5 }))];
    await source.pushUntilTaken(pushed.number);
    await untilChanged(stage, pushed, 'In Transit');
    const early = countedCalls(server).length;
    await letTimePass(stage, source);
    await stage.merchant.untilTracking(waiting.poNumber, ({ nodes }) => nodes.length === 1, 'the news of the next day', NEWS_MS);
    const again = await askHonestly(stage, waiting, { times: 5, known: ['In Transit'] });
    const asked = [pushed, waiting].map(({ number }) => callsFor(server, number).length);
    return {
      observed: `${early} calls for 2 parcels and 10 queries; what was pushed meanwhile was published; once the ledger said that the next day had begun, one call brought the rest`,
      violations: [
        ...dishonest,
        ...again,
        ...(early > 0 ? [`${early} calls beyond the quota`] : []),
        ...(asked.join() === '0,1' ? [] : [`the parcels were asked for ${asked.join(' and ')} times`]),
        ...(await endAndJudge(stage, source, pushed, { nodes: ['In Transit'] })),
        ...(await endAndJudge(stage, source, waiting, { nodes: ['In Transit'] })),
      ],
    };
  });
}

/** Limits of sources. */
export const sourceLimitFaults: readonly SourceFault[] = [
  {
    name: `a source responds with 429 with Retry-After: ${RETRY_AFTER_S}`,
    expected: 'no call before the time is over; queries get what is known, with its age; polls bring the news afterwards, once',
    strike: throttled,
  },
  {
    name: 'a source responds with 429 for an hour, another that its quota is used up',
    expected: 'no call within the hour; pushes are taken; the news comes afterwards, once',
    strike: forAnHour,
  },
  {
    name: 'the calls of a day are used up',
    expected:
      'no call before the next day; pushes are taken; the news comes afterwards, once, and each parcel is asked for as often as the source allows',
    strike: ownQuota,
  },
];
