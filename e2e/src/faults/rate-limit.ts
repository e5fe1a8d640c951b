import type { FaultStage } from './fault.ts';

const LIMIT = { per_second: 2, burst: 20 };
const CALLS = 60;
const ANY_READ = '/open/v1/forecasts?limit=1';

/**
 * Calls more often than a key may, and counts the calls that pass.
 * @returns how many calls of how many passed, and what was wrong with that
 */
export async function limited({ platform, operator, merchant }: FaultStage): Promise<{ observed: string; violations: readonly string[] }> {
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
