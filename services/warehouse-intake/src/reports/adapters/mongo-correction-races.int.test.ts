import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { laterOutbox } from '@parcelway/mongo/testing/later-outbox';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { intakeCollections } from '../../adapters/mongo-collections.ts';
import { openMongoStores } from '../../adapters/mongo-stores.ts';
import { events } from '../../expected/adapters/mongo-schema.ts';
import { collectPublications } from '../../testing/collect-publications.ts';
import { accept, cancel, claim, correct, dismiss, record, type Step, scan, whereabouts } from '../../testing/intake-steps.ts';
import { interleave } from '../../testing/mongo-faults.ts';
import { intakeEvent, NOW } from '../../testing/samples.ts';
import { openSqliteIntake } from '../../testing/sqlite-intake.ts';
import type { MongoIntakeStore } from './mongo-intake-store.ts';

// Thousands of writes, each confirmed by the disk, on a machine that may have other things to do.
jest.setTimeout(180_000);

let opened: TestDatabase;
let other: MongoDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(intakeCollections);
  other = await opened.second();
});
afterAll(() => opened.close());

const clock = new ManualClock(NOW);
const openStore = (database: MongoDatabase): MongoIntakeStore => openMongoStores(database, clock);

/** A step that may be refused: the second caller gets an error, and nothing happens. */
const orRefused =
  (step: Step): Step =>
  async (store) => {
    const [outcome] = await Promise.allSettled([step(store)]);
    if (outcome.status === 'rejected' && !['40403', '40902'].includes((outcome.reason as { code?: string }).code ?? ''))
      throw outcome.reason;
  };

/** Where the events are when the steps come one after the other, each whole. */
async function inTurn(steps: readonly Step[]): Promise<readonly string[]> {
  const db = new SqliteDatabase(':memory:');
  const store = openSqliteIntake(db, clock);
  for (const step of steps) await step(store);
  const result = await whereabouts(store, collectPublications(store.outbox));
  db.close();
  return result;
}

const [atOld, atNew, lost] = [scan('OLD'), scan('NEW'), scan('LOST')];
const moved = intakeEvent({ expressNo: 'OLD', warehouseCode: 'WH2' });
/** What comes in afterwards shows what the directory knows. */
const later = [record(scan('OLD'), scan('NEW'), scan('LOST'), intakeEvent({ expressNo: 'OLD', warehouseCode: 'WH2' }))];
const renumber = correct('FC1', 2, { trackingNumbers: ['NEW'] });
const relocate = correct('FC1', 2, { warehouseCode: 'WH2', trackingNumbers: ['OLD'] });

const races: Readonly<Record<string, { readonly before: Step[]; readonly correction: Step; readonly rival: Step }>> = {
  'a new number and the arrival under the old one': { before: [accept('FC1', 'OLD')], correction: renumber, rival: record(atOld) },
  'a new number and the arrival under it': { before: [accept('FC1', 'OLD')], correction: renumber, rival: record(atNew) },
  'another warehouse and the arrival at the former': { before: [accept('FC1', 'OLD')], correction: relocate, rival: record(atOld) },
  'another warehouse and the arrival there': { before: [accept('FC1', 'OLD')], correction: relocate, rival: record(moved) },
  'another warehouse and a claim at the former': {
    before: [accept('FC1', 'OLD'), record(lost)],
    correction: relocate,
    rival: orRefused(claim(lost, 'FC1')),
  },
  'a new number and a claim of what waits under it for another': {
    before: [accept('FC1', 'OLD'), accept('FC2', 'TWO'), record(atNew)],
    correction: renumber,
    rival: orRefused(claim(atNew, 'FC2')),
  },
  'a new number and a dismissal of what waits under it': {
    before: [accept('FC1', 'OLD'), record(atNew)],
    correction: renumber,
    rival: orRefused(dismiss(atNew)),
  },
  'a new number and its cancellation': { before: [accept('FC1', 'OLD'), record(atNew)], correction: renumber, rival: cancel('FC1') },
  'a new number and the correction after it': {
    before: [accept('FC1', 'OLD'), record(atNew, lost)],
    correction: renumber,
    rival: correct('FC1', 3, { trackingNumbers: ['LOST'] }),
  },
  'a new number and another forecast that takes the old one': {
    before: [accept('FC1', 'OLD')],
    correction: renumber,
    rival: async (store) => {
      await accept('FC2', 'OLD')(store);
      await record(atOld)(store);
    },
  },
};

test.each(Object.entries(races))('%s: one of them comes first, as a whole', async (_name, { before, correction, rival }) => {
  const possible = [await inTurn([...before, correction, rival, ...later]), await inTurn([...before, rival, correction, ...later])];
  for (const [first, second] of [
    [correction, rival],
    [rival, correction],
  ] as const) {
    for (let operations = 0, paused = true; paused; operations += 1) {
      await opened.clear();
      const store = openStore(other);
      for (const step of before) await step(store);
      paused = await interleave(
        opened.database,
        (database) => first(openStore(database)),
        operations,
        () => second(store),
      );
      for (const step of later) await step(store);
      expect({ operations, ...(await store.resume(NOW + 1, 100)) }).toEqual({ operations, resumed: 0, published: 0 });
      expect(possible).toContainEqual(await whereabouts(store, collectPublications(laterOutbox(opened.database, events, clock))));
    }
  }
});
