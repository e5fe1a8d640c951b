import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import fc from 'fast-check';
import { histories } from '../testing/intake-histories.ts';
import { type Step, whereabouts } from '../testing/intake-steps.ts';
import { ModelIntake } from '../testing/model-intake.ts';
import { diesAfter, useMongoIntake } from '../testing/mongo-intake.ts';
import { NOW } from '../testing/samples.ts';
import type { IntakeStore } from './ports.ts';

/* Part of `npm run test:long`. */

const clock = new ManualClock(NOW);
const intake = useMongoIntake(clock);

const refusals = ['40403', '40902'];

/** Takes a step. A refusal of an impossible claim or dismissal is no failure. */
async function take(step: Step, store: IntakeStore): Promise<void> {
  const [outcome] = await Promise.allSettled([step(store)]);
  if (outcome.status === 'rejected' && !refusals.includes((outcome.reason as { code?: string }).code ?? '')) throw outcome.reason;
}

test('any history ends as the model does, whichever replica takes each step, dies at it and has it repeated', async () => {
  const turns = fc.infiniteStream(fc.record({ replica: fc.nat(1), deathAfter: fc.option(fc.nat(12), { freq: 3 }), isSwept: fc.boolean() }));
  await fc.assert(
    fc.asyncProperty(histories, turns, async (steps, turn) => {
      const store = await intake.after([]);
      const databases = [intake.database, intake.other] as const;
      const model = new ModelIntake(clock);
      for (const { run, ms = 1000 } of steps) {
        const { replica, deathAfter, isSwept } = turn.next().value;
        const [one, another] = replica === 0 ? databases : databases.toReversed();
        if (deathAfter !== null) await diesAfter(one as MongoDatabase, deathAfter, (dying) => take(run, intake.open(dying)));
        const next = intake.open(another as MongoDatabase);
        if (isSwept) await next.resume(clock.now() + 1, 100);
        // The client sends the report again, the bus delivers the event again.
        await take(run, next);
        await take(run, model as unknown as IntakeStore);
        clock.advance(ms);
      }
      await store.resume(clock.now() + 1, 1000);
      expect(await intake.where(store)).toEqual(await whereabouts(model as unknown as IntakeStore, async () => model.published));
    }),
    // Shrinking takes longer than the test may: the failure itself would never be shown. A slow machine shows as an interruption, or as a refusal with 50301.
    { numRuns: 400, endOnFailure: true, plugins: [fc.timeout(60_000), fc.interruptAfterTimeLimit(150_000, { failOnInterrupt: true })] },
  );
});
