import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { MongoWorkLease, workLeases } from '@parcelway/mongo/mongo-work-lease';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { describeWorkLease } from './work-lease.conformance.ts';

const NOW = 1_000_000;

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase([workLeases]);
  await startProfile(opened.database);
});
beforeEach(() => opened.clear());
afterAll(() => opened.close());

describeWorkLease('MongoDB', async () => ({
  open: (name) => new MongoWorkLease(opened.database, name),
  close: () => opened.clear(),
}));

test('of several processes that take the work at once one gets it, also the very first time', async () => {
  const databases = [opened.database, await opened.second(), await opened.second()];
  const leases = databases.flatMap((db) => Array.from({ length: 5 }, () => new MongoWorkLease(db, 'one')));
  for (const [round, place] of ['', 'round 0', 'round 1'].entries()) {
    const now = NOW + round * 100;
    const taken = await Promise.all(leases.map((lease) => lease.take(now, now + 60, now + 1000)));
    expect(taken.filter((one) => one !== undefined)).toEqual([place]);
    await leases[taken.findIndex((one) => one !== undefined)]?.giveBack(`round ${round}`, now);
  }
});

test('a process whose lease was taken by another keeps nothing and gives nothing back', async () => {
  const [one, two] = [new MongoWorkLease(opened.database, 'one'), new MongoWorkLease(opened.database, 'one')];
  await one.take(NOW, NOW + 60, NOW + 1000);
  expect(await two.take(NOW + 59, NOW + 120, NOW + 1000)).toBeUndefined();
  expect(await two.take(NOW + 60, NOW + 120, NOW + 1000)).toBe('');
  expect(await one.keep('late', NOW + 500)).toBe(false);
  await one.giveBack('late', NOW);
  expect(await two.keep('tnt_b', NOW + 130)).toBe(true);
  expect(await one.take(NOW + 129, NOW + 200, NOW + 1000)).toBeUndefined();
  expect(await one.take(NOW + 130, NOW + 200, NOW + 1000)).toBe('tnt_b');
});

test('no statement goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
