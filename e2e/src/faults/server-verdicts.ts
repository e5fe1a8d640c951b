import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@parcelway/kernel/testing/until';
import type { Break } from './breaks.ts';
import type { FaultStage, Findings } from './fault.ts';
import type { SubmissionSummary } from './latency.ts';
import { probeThrough } from './probe-through.ts';
import { improperUploads, UploadProbe } from './upload-probe.ts';

/* What must hold while a server is broken. */

/** How much slower a submission may be while the log is away, at its 99th percentile. */
const MAX_SLOWDOWN = 1.5;
/** Of fewer submissions the 99th percentile is but the slowest, and says nothing. */
const ENOUGH_FOR_P99 = 90;
/** At the pace of the probe these are {@link ENOUGH_FOR_P99} submissions to compare with. */
const BEFORE_MS = 13_000;

const described = ({ count, p50, p99 }: SubmissionSummary): string =>
  `${count} submissions, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`;

/**
 * Compares submissions while the log is broken with those before: publishing is not on their way. Those of the load would not show it: its
 * parcels go on only when the warehouse knows their forecasts, and it learns of them from the log.
 */
export async function withoutLog(stage: FaultStage, strike: Break, forMs: number): Promise<Findings> {
  const { before, during, violations: found } = await probeThrough(stage, { forMs, beforeMs: BEFORE_MS, strike: () => strike(stage) });
  const violations = [...found];
  if (during.refused > 0) violations.push(`${during.refused} submissions were refused while the log was away`);
  const enough = Math.min(before.count, during.count) >= ENOUGH_FOR_P99;
  if (enough && during.p99 > MAX_SLOWDOWN * before.p99)
    violations.push(`p99 of submissions rose from ${before.p99.toFixed(0)} to ${during.p99.toFixed(0)} ms`);
  return { observed: `before: ${described(before)}; during: ${described(during)}, ${during.refused} refused`, violations };
}

/** Says what merchants saw while the store was broken. */
export async function withoutStore(stage: FaultStage, strike: Break, forMs: number): Promise<Findings> {
  const { before, codes, slowest, violations } = await probeThrough(stage, { forMs, strike: () => strike(stage) });
  const observed = `before: p99 ${before.p99.toFixed(0)} ms; during: ${codes}; slowest response ${(slowest / 1000).toFixed(1)} s; all sent again, no number changed`;
  return { observed, violations };
}

const ANY_READ = '/open/v1/forecasts?limit=1';
const LIMIT = { per_second: 2, burst: 20 };
const CALLS = 60;
/** A revoked key is refused everywhere within this time. */
const REFUSED_WITHIN_MS = 5000;
/** Looked at for longer, to show by how much it was missed. */
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

/** Issues a key, uses it at every gateway, revokes it at one, and waits until none takes it any more. */
async function revoked({ platform, operator, merchant }: FaultStage): Promise<Findings> {
  const issued = await operator.issueKey({ tenant_id: merchant.identity.tenantId });
  const gateways = platform.services().filter(({ name }) => name.startsWith('gateway-'));
  const clients = gateways.map(({ url }) => platform.client(issued.key, url));
  // Used for a while, so that whatever remembers keys remembers it.
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
    violations: ms > REFUSED_WITHIN_MS ? [`a revoked key was taken for ${ms.toFixed(0)} ms`] : [],
  };
}

/** Sees whether anybody notices that Redis is broken. */
export async function withoutRedis(stage: FaultStage, strike: Break, forMs: number): Promise<Findings> {
  const seen: string[] = [];
  const { before, during, codes, violations } = await probeThrough(stage, {
    forMs,
    strike: () => strike(stage),
    async meanwhile() {
      const both = [await limited(stage), await revoked(stage)];
      seen.push(...both.map(({ observed }) => observed));
      return both.flatMap((each) => each.violations);
    },
  });
  const slower = `p99 of submissions from ${before.p99.toFixed(0)} to ${during.p99.toFixed(0)} ms`;
  return {
    observed: `${codes}; ${slower}; ${seen.join('; ')}`,
    violations: [
      ...violations,
      ...(during.refused > 0 ? [`${during.refused} submissions were refused while Redis was away`] : []),
      ...(during.p99 > MAX_SLOWDOWN * before.p99 + 300 ? [`the ${slower}`] : []),
    ],
  };
}

const UPLOADS_PER_SECOND = 5;

/** Judges uploads while the object store is broken, and submissions that need none. @param refuses false when it is only slow, so that uploads may all succeed */
export async function withoutObjects(stage: FaultStage, strike: Break, forMs: number, refuses: boolean): Promise<Findings> {
  const probe = new UploadProbe(stage, UPLOADS_PER_SECOND);
  const { before, during, violations } = await probeThrough(stage, { forMs, strike: () => strike(stage) }).finally(() => probe.stop());
  const count = (code: string): number => probe.uploads.filter((upload) => upload.code === code).length;
  const slowest = Math.max(...probe.uploads.map(({ ms }) => ms));
  const all = [...violations, ...new Set(improperUploads(probe.uploads)), ...(await probe.confirm())];
  if (during.refused > 0) all.push(`${during.refused} submissions without files were refused`);
  if (refuses && count('42207') === 0) all.push('no upload was refused: the store was not broken');
  return {
    observed:
      `uploads: stored ${count('0')}, 42207 ${count('42207')}, slowest response ${(slowest / 1000).toFixed(1)} s; all sent again and opened; ` +
      `${during.count} submissions without files, none refused, p99 ${before.p99.toFixed(0)} before and ${during.p99.toFixed(0)} ms during`,
    violations: all,
  };
}
