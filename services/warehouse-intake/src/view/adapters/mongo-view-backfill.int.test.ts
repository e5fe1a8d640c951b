import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { NOW } from '../../testing/samples.ts';
import { MongoViewBackfill, OWNED_MS, viewBackfill } from './mongo-view-backfill.ts';
import { describeBackfillProgress } from './view-backfill.conformance.ts';

// Each write is confirmed by the disk, on a machine that may have other things to do.
jest.setTimeout(60_000);

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase([viewBackfill]);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeBackfillProgress('MongoDB', async () => ({
  open: (clock) => new MongoViewBackfill(opened.database, clock, 2),
  close: () => opened.clear(),
}));

test('of several processes one has the work, and another takes it when that one is dead', async () => {
  const clock = new ManualClock(NOW);
  const replicas = Array.from({ length: 6 }, () => new MongoViewBackfill(opened.database, clock, 2));
  const begin = { pass: 1, after: null, copied: 0 };
  const claims = await Promise.all(replicas.map((replica) => replica.claim()));
  expect(claims.filter((claim) => claim !== 'later')).toEqual([begin]);
  const owner = replicas[claims.findIndex((claim) => claim !== 'later')] as MongoViewBackfill;
  const others = replicas.filter((replica) => replica !== owner);
  const further = { pass: 1, after: 'tnt FC1', copied: 100 };
  clock.advance(OWNED_MS - 1);
  expect(await owner.record(begin, further, 0)).toBe(true);
  clock.advance(OWNED_MS);
  const heirs = await Promise.all(others.map((replica) => replica.claim()));
  expect(heirs.filter((claim) => claim !== 'later')).toEqual([further]);
  // It was only slow: it records nothing more.
  expect(await owner.record(further, { pass: 1, after: 'tnt FC2', copied: 200 }, 0)).toBe(false);
  expect(await owner.claim()).toBe('later');
  await opened.clear();
});

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
