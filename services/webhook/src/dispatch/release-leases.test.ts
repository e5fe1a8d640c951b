import { expect, test } from '@jest/globals';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import { LeaseReleaser } from './release-leases.ts';

const leased = [{} as LeasedDelivery];

/** A releaser whose store responds when the test says so. */
function world() {
  const released: (readonly LeasedDelivery[])[] = [];
  const responses: { done: () => void; fail: (error: Error) => void }[] = [];
  const warnings: LogFields[] = [];
  const queue = {
    release(batch: readonly LeasedDelivery[]): Promise<void> {
      released.push(batch);
      return new Promise((resolve, reject) => responses.push({ done: resolve, fail: reject }));
    },
  };
  const releaser = new LeaseReleaser({ queue, logger: { ...silentLogger, warn: (fields) => void warnings.push(fields) } });
  return { releaser, released, responses, warnings };
}

test('nothing is not given back', async () => {
  const { releaser, released } = world();
  releaser.release([]);
  await releaser.settled();
  expect(released).toEqual([]);
});

test('all that is on its way to the store is waited for', async () => {
  const { releaser, released, responses } = world();
  releaser.release(leased);
  releaser.release(leased);
  let settled = false;
  const waiting = releaser.settled().then(() => {
    settled = true;
  });
  responses[0]?.done();
  await new Promise((resolve) => setImmediate(resolve));
  expect([released.length, settled]).toEqual([2, false]);
  responses[1]?.done();
  await waiting;
  expect(released).toEqual([leased, leased]);
});

test('a failure is logged, and nobody else hears of it: the lease runs out by itself', async () => {
  const { releaser, responses, warnings } = world();
  const err = new Error('out');
  releaser.release(leased);
  responses[0]?.fail(err);
  await releaser.settled();
  expect(warnings).toEqual([{ err }]);
});
