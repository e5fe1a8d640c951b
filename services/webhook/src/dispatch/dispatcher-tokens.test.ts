import { afterEach, expect, test } from '@jest/globals';
import type { RateDecision, RateLimit } from '@parcelway/cache/rate-limiter';
import { until } from '@parcelway/kernel/testing/until';
import { closeWorlds, good, openWorld } from '../testing/dispatch-world.ts';

const allowed: RateDecision = { allowed: true, limit: 1, remaining: 0, resetSeconds: 1, waitMs: 0, retryAfterSeconds: 0 };

afterEach(closeWorlds);

/** A dispatcher whose rate limiter decides as a test says. */
async function limited(decide: () => RateDecision | Promise<RateDecision>) {
  const asked: [string, RateLimit][] = [];
  const take = (bucket: string, limit: RateLimit) => {
    asked.push([bucket, limit]);
    return decide();
  };
  const w = await openWorld(async () => good, undefined, undefined, { take });
  await w.add('we_1', { rateLimit: 25 });
  return { w, asked };
}

test.each([
  ['at once', () => allowed],
  ['over the network', async () => allowed],
])('each attempt takes a token of its endpoint, in bursts of a tenth, from a limiter that responds %s', async (_name, decide) => {
  const { w, asked } = await limited(decide);
  await w.event();
  await w.event();
  await until(() => w.sent.length === 2, { what: 'both to be sent' });
  const limit = { perSecond: 25, burst: 3 };
  expect(asked).toEqual([
    ['webhook we_1', limit],
    ['webhook we_1', limit],
  ]);
});

test.each([
  ['at once', () => ({ ...allowed, allowed: false, waitMs: 30 })],
  ['over the network', async () => ({ ...allowed, allowed: false, waitMs: 30 })],
])('a refusal that comes %s is waited for as long as it says', async (_name, refuse) => {
  let decisions = 0;
  const { w, asked } = await limited(() => {
    decisions += 1;
    return decisions === 1 ? refuse() : allowed;
  });
  await w.event();
  await until(() => w.sent.length === 1, { what: 'it to be sent' });
  expect(asked).toHaveLength(2);
});

test('a limiter that fails is asked again, and the failure is logged', async () => {
  const err = new Error('out');
  let decisions = 0;
  const { w } = await limited(() => {
    decisions += 1;
    return decisions === 1 ? Promise.reject(err) : allowed;
  });
  await w.event();
  await until(() => w.sent.length === 1, { what: 'it to be sent' });
  expect(w.warnings).toEqual([{ err, endpoint_id: 'we_1' }]);
});
