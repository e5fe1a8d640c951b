import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import fc from 'fast-check';
import { histories, type ShownStep } from '../../testing/intake-histories.ts';
import { whereabouts } from '../../testing/intake-steps.ts';
import { ModelIntake, nameOf } from '../../testing/model-intake.ts';
import { NOW } from '../../testing/samples.ts';
import type { RecordOutcome } from '../domain/decide-reports.ts';
import type { IntakeStore, ResolveOutcome } from '../ports.ts';
import type { IntakeStoreDriver } from './intake-store-laws.conformance.ts';

/** What a step has returned, without what one store may choose: ids, and the order of lists that are read by name. */
function outcomeOf(result: unknown): unknown {
  if (typeof result !== 'object' || result === null) return result;
  if ('resolution' in result) {
    const { resolution, repeated, published } = result as ResolveOutcome;
    const { id: _id, ...shown } = resolution;
    return { ...shown, repeated, published };
  }
  if (!('accepted' in result)) return result;
  const { accepted, duplicates, published, conflicts, refused, waiting } = result as RecordOutcome;
  const waits = waiting.map(({ candidates, ...event }) => `${nameOf(event)} ${event.reason} ${[...(candidates ?? [])].sort()}`);
  return {
    accepted,
    duplicates,
    published,
    conflicts: conflicts.map(nameOf).sort(),
    refused: refused.map(nameOf).sort(),
    waiting: waits.sort(),
  };
}

/** Takes a step. @returns its outcome, or the code of its refusal */
async function take({ run }: ShownStep, store: IntakeStore): Promise<unknown> {
  try {
    return outcomeOf(await run(store));
  } catch (error) {
    return { refused: (error as { readonly code?: string }).code ?? error };
  }
}

/** That the store does what the domain decides, whatever its way of storing. @param open a driver with an empty store */
export function describeHistories(open: (clock: ManualClock) => Promise<IntakeStoreDriver>): void {
  describe('random histories', () => {
    test('have the outcomes and the messages of the model, step by step', async () => {
      await fc.assert(
        fc.asyncProperty(histories, async (steps) => {
          const clock = new ManualClock(NOW);
          const driver = await open(clock);
          const model = new ModelIntake(clock);
          try {
            for (const [index, step] of steps.entries()) {
              const expected = await take(step, model as unknown as IntakeStore);
              expect({ index, is: await take(step, driver.store) }).toEqual({ index, is: expected });
              clock.advance(1000);
            }
            const is = await whereabouts(driver.store, () => driver.published());
            expect(is).toEqual(await whereabouts(model as unknown as IntakeStore, async () => model.published));
          } finally {
            await driver.close();
          }
        }),
        { numRuns: 150 },
      );
    });
  });
}
