import { AppError } from '@parcelway/kernel/app-error';
import { type Clock, ManualClock } from '@parcelway/kernel/clock';
import type { Store } from '@parcelway/store/store';
import { storesOf } from '../adapters/intake-stores.ts';
import type { Intake } from '../reports/intake-store.ts';
import { type Step, whereabouts } from './intake-steps.ts';
import { openStores } from './open-stores.ts';
import { NOW } from './samples.ts';

/* Processes that share a store. The conformance tests of the store show that each of its operations is whole, whatever the database. */

type Operation = () => Promise<unknown>;

/** A store whose operations go through a function. @param run makes the operation when it calls `work` */
function through(store: Store, run: (work: Operation) => Promise<unknown>): Store {
  return new Proxy(store, {
    get(target, name) {
      const method = (Reflect.get(target, name) as (...given: readonly unknown[]) => Promise<unknown>).bind(target);
      return name === 'placeIn' ? method : (...given: readonly unknown[]) => run(() => method(...given));
    },
  });
}

/** The intake of a process. @param store as the process sees it */
export function intakeOn(store: Store, clock: Clock = new ManualClock(NOW)): Intake {
  return storesOf({ store }, clock, false).intake;
}

/** A new store in which one process has taken these steps in turn. */
export async function after(steps: readonly Step[], clock?: Clock) {
  const opened = openStores(clock);
  for (const step of steps) await step(opened.intake);
  return { ...opened, where: () => whereabouts(opened.intake, opened.published) };
}

/** Where the events are after one process has taken the steps in turn. */
export async function inSqlite(steps: readonly Step[]): Promise<readonly string[]> {
  const { where, close } = await after(steps);
  const result = await where();
  await close();
  return result;
}

/**
 * Has a process take a step and die: it learns nothing of the operation that begins after `operations` others, which takes place all the same, and begins
 * none after that. Resolves when nothing of it is under way any more.
 * @param step given the store as the process sees it
 * @returns false when the step needs no more operations than that
 */
export async function diesAfter(store: Store, operations: number, step: (dying: Store) => Promise<unknown>): Promise<boolean> {
  const death = AppError.unavailable('The process has died');
  const underWay = new Set<Promise<unknown>>();
  let begun = 0;
  const dying = through(store, async (work) => {
    begun += 1;
    if (begun > operations + 1) throw death;
    const isLast = begun === operations + 1;
    const running = work();
    underWay.add(running);
    const result = await running;
    if (isLast) throw death;
    return result;
  });
  try {
    await step(dying);
    return false;
  } catch (error) {
    if (error !== death) throw error;
    return true;
  } finally {
    await Promise.allSettled(underWay);
  }
}

/**
 * Has a process take a step up to the operation that begins after `operations` others, then `meanwhile`, then the rest of the step.
 * @param step given the store as the process sees it
 * @returns false when the step has no such operation
 */
export async function interleave(
  store: Store,
  step: (pausing: Store) => Promise<unknown>,
  operations: number,
  meanwhile: () => Promise<unknown>,
): Promise<boolean> {
  let begun = 0;
  let pause: () => void = () => undefined;
  let goOn: () => void = () => undefined;
  const paused = new Promise<boolean>((resolve) => (pause = () => resolve(true)));
  const released = new Promise<void>((resolve) => (goOn = resolve));
  const running = step(
    through(store, async (work) => {
      begun += 1;
      if (begun === operations + 1) {
        pause();
        await released;
      }
      return work();
    }),
  );
  const isPaused = await Promise.race([paused, running.then(() => false)]);
  await meanwhile();
  goOn();
  await running;
  return isPaused;
}
