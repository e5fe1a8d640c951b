import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@parcelway/kernel/testing/until';
import type { Break } from './breaks.ts';
import type { FaultStage, Findings } from './fault.ts';
import { probeThrough, type Seen, type Summary } from './probe.ts';

/* What must hold while a server is broken. */

/** Judges what clients see while a server is broken for `forMs`. */
export type Verdict = (stage: FaultStage, strike: Break, forMs: number) => Promise<Findings>;

/** How much slower a submission may be while the log is away, at its 99th percentile. */
const MAX_SLOWDOWN = 1.5;
/** With fewer submissions the 99th percentile is only the slowest one. */
const ENOUGH_FOR_P99 = 90;
/** Long enough for {@link ENOUGH_FOR_P99} submissions at the pace of the probe. */
const BEFORE_MS = 13_000;

const described = ({ count, codes, p50, p99, slowest }: Summary): string =>
  `${count} (${codes}), p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms`;
const compared = ({ before, during }: Seen, what = 'submissions'): string =>
  `${what} before: ${described(before)}; during: ${described(during)}`;
const noneRefused = ({ during: { refused } }: Seen, what: string): string[] =>
  refused > 0 ? [`${refused} submissions were refused while ${what} was away`] : [];
const notSlower = ({ before, during }: Seen, slackMs: number): string[] =>
  during.p99 > MAX_SLOWDOWN * before.p99 + slackMs
    ? [`p99 of submissions rose from ${before.p99.toFixed(0)} to ${during.p99.toFixed(0)} ms`]
    : [];

/**
 * Compares submissions while the log is broken with those before: a submission does not wait for publishing. The load cannot show this: its parcels
 * wait until the warehouse learns of their forecasts from the log.
 */
export const withoutLog: Verdict = async (stage, strike, forMs) => {
  const { seen, violations } = await probeThrough(stage, { forMs, beforeMs: BEFORE_MS, strike });
  const { submission } = seen;
  const enough = Math.min(submission.before.count, submission.during.count) >= ENOUGH_FOR_P99;
  return {
    observed: compared(submission),
    violations: [...violations, ...noneRefused(submission, 'the log'), ...(enough ? notSlower(submission, 0) : [])],
  };
};

/** Reports what merchants see while the store is broken. */
export const withoutStore: Verdict = async (stage, strike, forMs) => {
  const { seen, violations } = await probeThrough(stage, { forMs, strike });
  return { observed: compared(seen.submission), violations };
};

const ANY_READ = '/open/v1/forecasts?limit=1';
const LIMIT = { per_second: 2, burst: 20 };
const CALLS = 60;
/** A revoked key is refused everywhere within this time. */
const REFUSED_WITHIN_MS = 5000;
/** Watched for longer, to show by how much the limit was missed. */
const LOOKED_AT_FOR_MS = 20_000;

/** Calls more often than a key may, and counts the calls that pass. */
async function limited({ platform, operator, merchant }: FaultStage): Promise<Findings> {
  const issued = await operator.issueKey({ tenant_id: merchant.identity.tenantId }, { rate_limit: LIMIT });
  const client = platform.client(issued.key);
  const from = performance.now();
  const codes: string[] = [];
  for (let call = 0; call < CALLS; call += 1) codes.push((await client.call(ANY_READ)).code);
  const most = LIMIT.burst + Math.ceil((LIMIT.per_second * (performance.now() - from)) / 1000);
  const taken = codes.filter((code) => code === '0').length;
  const violations = codes.filter((code) => code !== '0' && code !== '42901').map((code) => `a call within the limits got ${code}`);
  // The bucket of Redis and the one of the process may both be drawn from, when Redis goes away or comes back in between.
  if (taken < LIMIT.burst || taken > most + LIMIT.burst) violations.push(`${taken} calls passed, the limit is ${LIMIT.burst} to ${most}`);
  return { observed: `${taken} of ${CALLS} calls of a key with a burst of ${LIMIT.burst} passed`, violations };
}

/** Issues a key, uses it at every gateway, revokes it at one, and waits until all refuse it. */
async function revoked({ platform, operator, merchant }: FaultStage): Promise<Findings> {
  const issued = await operator.issueKey({ tenant_id: merchant.identity.tenantId });
  const gateways = platform.services().filter(({ name }) => name.startsWith('gateway-'));
  const clients = gateways.map(({ url }) => platform.client(issued.key, url));
  // Calls for a while, so that every cache of keys has it.
  for (let time = 0; time < 4; time += 1) {
    for (const client of clients) await client.expectOk(ANY_READ);
    await pause(250);
  }
  await operator.revokeKey(issued.key_id);
  const revokedAt = performance.now();
  const options = { within: LOOKED_AT_FOR_MS, everyMs: 50, what: 'a revoked key to be refused' };
  await Promise.all(clients.map((client) => until(async () => (await client.call(ANY_READ)).code === '40003', options)));
  const ms = performance.now() - revokedAt;
  return {
    observed: `a revoked key refused by both gateways after ${(ms / 1000).toFixed(1)} s`,
    violations: ms > REFUSED_WITHIN_MS ? [`a revoked key was accepted for ${ms.toFixed(0)} ms`] : [],
  };
}

/** Checks that clients do not notice a broken Redis. */
export const withoutRedis: Verdict = async (stage, strike, forMs) => {
  const observed: string[] = [];
  const meanwhile = async (): Promise<readonly string[]> => {
    const both = [await limited(stage), await revoked(stage)];
    observed.push(...both.map((each) => each.observed));
    return both.flatMap((each) => each.violations);
  };
  const { seen, violations } = await probeThrough(stage, { forMs, strike, meanwhile });
  const { submission } = seen;
  return {
    observed: [compared(submission), ...observed].join('; '),
    violations: [...violations, ...noneRefused(submission, 'Redis'), ...notSlower(submission, 300)],
  };
};

/** Judges uploads while the object store is broken, and submissions without files. @param refuses false for a slow store, where all uploads may succeed */
export const withoutObjects =
  (refuses: boolean): Verdict =>
  async (stage, strike, forMs) => {
    const { seen, violations } = await probeThrough(stage, { forMs, strike, kinds: ['submission', 'label', 'photo'] });
    const { submission, label, photo } = seen;
    const isNoticed = label.during.refused + photo.during.refused > 0;
    return {
      observed: [compared(submission, 'submissions without files'), compared(label, 'labels'), compared(photo, 'photos')].join('; '),
      violations: [
        ...violations,
        ...noneRefused(submission, 'the object store'),
        ...(refuses && !isNoticed ? ['no upload was refused: the store was not broken'] : []),
      ],
    };
  };
