import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import fc from 'fast-check';
import type { IntakeEvent } from '../domain/event.ts';
import { collectPublications } from '../testing/collect-publications.ts';
import { accept, cancel, dispatch, record, type Step, whereabouts } from '../testing/intake-steps.ts';
import { intakeEvent, NOW } from '../testing/samples.ts';
import { intakeCollections } from './mongo-schema.ts';
import { openMongoStores } from './mongo-stores.ts';
import { SqliteIntakeStore } from './sqlite-intake-store.ts';

// Thousands of writes, each confirmed by the disk, on a machine that may have other things to do.
jest.setTimeout(180_000);

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(intakeCollections);
});
afterAll(() => opened.close());

/** A step, with what a failed test shows of it. */
interface ShownStep {
  readonly does: string | readonly IntakeEvent[];
  readonly run: Step;
}

const event: fc.Arbitrary<IntakeEvent> = fc
  .record({
    forecastNo: fc.constantFrom(null, null, 'FC0', 'FC1', 'FC2', 'FC3'),
    expressNo: fc.constantFrom('SHARED1', 'OWN0', 'OWN1', 'OWN2'),
    warehouseCode: fc.constantFrom('WH1', 'WH1', 'WH1', 'WH2'),
    detail: fc.constantFrom({ type: 'arrival' } as const, { type: 'arrival' } as const, dispatch, { type: 'put_away' } as const),
    minute: fc.integer({ min: 10, max: 59 }),
  })
  .map(({ minute, ...given }) => intakeEvent({ ...given, occurredAt: `2026-11-21T09:${minute}:00+08:00` }));

const step: fc.Arbitrary<ShownStep> = fc.oneof(
  fc.nat(3).map((index) => ({ does: `accept FC${index}`, run: accept(`FC${index}`, 'SHARED1', `OWN${index}`) })),
  fc.nat(3).map((index) => ({ does: `cancel FC${index}`, run: cancel(`FC${index}`) })),
  fc.array(event, { minLength: 1, maxLength: 5 }).map((events) => ({ does: events, run: record(...events) })),
  fc.array(event, { minLength: 1, maxLength: 3 }).map((events) => ({ does: events, run: record(...events, ...events) })),
);

test('any history ends as it does in SQLite, whichever replica takes each step', async () => {
  const clock = new ManualClock(NOW);
  const databases = [opened.database, await opened.second()];
  const history = fc.array(fc.tuple(step, fc.nat(1)), { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      await opened.clear();
      const replicas = databases.map((database) => openMongoStores(database, clock));
      const sqlite = new SqliteDatabase(':memory:');
      const reference = new SqliteIntakeStore(sqlite, clock);
      for (const [{ run }, index] of steps) {
        await run(replicas[index] as (typeof replicas)[0]);
        await run(reference);
      }
      const [first] = replicas as [(typeof replicas)[0]];
      expect(await whereabouts(first, collectPublications(first.outbox))).toEqual(
        await whereabouts(reference, collectPublications(reference.outbox)),
      );
      sqlite.close();
    }),
    { numRuns: 60 },
  );
});
