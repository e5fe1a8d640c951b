import { until } from '@parcelway/kernel/testing/until';
import type { Findings } from './fault.ts';
import { beyondRate, countedCalls } from './source-calls.ts';
import type { SourceFault } from './source-fault.ts';
import { askHonestly, endAndJudge } from './source-verdict.ts';
import { inTransit, type SourceStage, type TrackedSource, withSources } from './tracked-source.ts';

const QUERIES = 30;
/** A circuit breaker opens after some failed calls; there is one in each of two processes, and each probes every 10 s. */
const MAX_CALLS = 20;
const NEWS_MS = 40_000;

async function revoked(stage: SourceStage): Promise<Findings> {
  return withSources(stage, ['17track'], async ([only]) => {
    const source = only as TrackedSource;
    const { server } = source;
    const known = await source.tracked();
    await source.changeCredentials({ key: 'KEY-OF-FORMER-TIMES', previous_key: null });
    const before = countedCalls(server).length;
    const waiting = await source.dispatch(inTransit);
    await until(() => countedCalls(server).length > before, { what: 'the source to be asked' });
    const dishonest = [
      ...(await askHonestly(stage, waiting, { times: QUERIES })),
      ...(await askHonestly(stage, known, { times: 1, known: ['In Transit'] })),
    ];
    const calls = countedCalls(server).length - before;
    const refused = countedCalls(server)
      .slice(before)
      .every(({ status }) => status === 401);
    const push = await source.push(known.number);
    await source.changeCredentials(server.credentials);
    await stage.merchant.untilTracking(waiting.poNumber, ({ nodes }) => nodes.length === 1, 'the news with the new key', NEWS_MS);
    return {
      observed: `${calls} calls for a parcel and ${QUERIES} queries, all refused with 401; a push with the signature of the other key got ${push}; a new key was used at once`,
      violations: [
        ...dishonest,
        ...(calls > MAX_CALLS ? [`${calls} calls with a key that was refused`] : []),
        ...(refused ? [] : ['the source took a call with a key that it does not know']),
        ...(push === 401 ? [] : [`a push with the signature of another key got ${push}`]),
        ...(await endAndJudge(stage, source, known, { nodes: ['In Transit'] })),
        ...(await endAndJudge(stage, source, waiting, { nodes: ['In Transit'] })),
        ...beyondRate(server),
      ],
    };
  });
}

/** The vendor takes the key of a connection no longer, until the operator has stored a new one. */
export const sourceKeyFault: SourceFault = {
  name: 'the key of a source is revoked',
  expected: '50001 with Retry-After, or what is known with its age; few calls; no push is believed; a new key brings the news, once',
  strike: revoked,
};
