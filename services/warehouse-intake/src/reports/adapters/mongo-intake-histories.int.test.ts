import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { laterOutbox } from '@parcelway/mongo/testing/later-outbox';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import fc from 'fast-check';
import { intakeCollections } from '../../adapters/mongo-collections.ts';
import { openMongoStores } from '../../adapters/mongo-stores.ts';
import { events } from '../../expected/adapters/mongo-schema.ts';
import { collectPublications } from '../../testing/collect-publications.ts';
import { histories } from '../../testing/intake-histories.ts';
import { type Step, whereabouts } from '../../testing/intake-steps.ts';
import { ModelIntake } from '../../testing/model-intake.ts';
import { diesAfter } from '../../testing/mongo-faults.ts';
import { NOW } from '../../testing/samples.ts';
import type { IntakeStore } from '../ports.ts';

// Thousands of writes, each confirmed by the disk, on a machine that may have other things to do.
jest.setTimeout(180_000);

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(intakeCollections);
});
afterAll(() => opened.close());

const refusals = ['40403', '40902'];

/** Takes a step; who asks for what cannot be is refused, and nothing happens. */
async function take(step: Step, store: IntakeStore): Promise<void> {
  const [outcome] = await Promise.allSettled([step(store)]);
  if (outcome.status === 'rejected' && !refusals.includes((outcome.reason as { code?: string }).code ?? '')) throw outcome.reason;
}

/** Has a process take a step and die behind so many operations, if it gets there. */
async function die(database: MongoDatabase, operations: number, step: Step, clock: ManualClock): Promise<void> {
  await diesAfter(database, operations, (dying) => take(step, openMongoStores(dying, clock)));
}

test('any history ends as the model does, whichever replica takes each step, dies at it and has it repeated', async () => {
  const clock = new ManualClock(NOW);
  const databases = [opened.database, await opened.second()] as const;
  const turns = fc.infiniteStream(fc.record({ replica: fc.nat(1), deathAfter: fc.option(fc.nat(12), { freq: 3 }) }));
  await fc.assert(
    fc.asyncProperty(histories, turns, async (steps, turn) => {
      await opened.clear();
      const model = new ModelIntake(clock);
      for (const { run } of steps) {
        const { replica, deathAfter } = turn.next().value;
        const database = databases[replica] as MongoDatabase;
        if (deathAfter !== null) await die(database, deathAfter, run, clock);
        await take(run, openMongoStores(databases[1 - replica] as MongoDatabase, clock));
        await take(run, model as unknown as IntakeStore);
        clock.advance(1000);
      }
      const store = openMongoStores(databases[0], clock);
      await store.resume(clock.now() + 1, 1000);
      expect(await whereabouts(store, collectPublications(laterOutbox(opened.database, events, clock)))).toEqual(
        await whereabouts(model as unknown as IntakeStore, async () => model.published),
      );
    }),
    { numRuns: 60 },
  );
});
