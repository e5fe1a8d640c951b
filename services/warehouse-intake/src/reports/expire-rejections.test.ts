import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { NOW } from '../testing/samples.ts';
import { REJECTIONS_KEPT_MS } from './domain/kept-rejections.ts';
import { expireRejections } from './expire-rejections.ts';

/** So many rejected reports that are too old. */
function setUp(count: number) {
  const befores: number[] = [];
  let left = count;
  const rejections = {
    async forget(before: number, limit: number) {
      befores.push(before);
      const forgotten = Math.min(limit, left);
      left -= forgotten;
      return forgotten;
    },
  };
  return { options: { rejections, clock: new ManualClock(NOW) }, befores };
}

test('rejected reports are deleted after 7 days, batch by batch', async () => {
  const { options, befores } = setUp(501);
  expect(await expireRejections(options)).toBe(501);
  expect(befores).toEqual([NOW - REJECTIONS_KEPT_MS, NOW - REJECTIONS_KEPT_MS]);
});

test('and the service may stop in between', async () => {
  expect(await expireRejections({ ...setUp(2000).options, stopping: () => true })).toBe(500);
});
