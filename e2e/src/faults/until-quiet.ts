import { readersOf, withOutsider } from './consumer-faults.ts';
import type { FaultStage } from './fault.ts';

/** A system that has been healed is quiet within this time. */
const QUIET_WITHIN_MS = 60_000;

/**
 * Waits until every consumer has finished every topic.
 * @throws Error naming one that has not in time
 */
export async function untilQuiet(stage: Pick<FaultStage, 'platform'>): Promise<void> {
  await withOutsider(stage, async (outsider) => {
    for (const [topic, readers] of Object.entries(readersOf)) {
      for (const reader of readers) await outsider.untilFinished(reader, topic, QUIET_WITHIN_MS);
    }
  });
}
