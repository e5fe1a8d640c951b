import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { systemClock } from './clock.ts';
import { createLeasedWork, type HeldWork, type LeasedWorkOptions } from './leased-work.ts';
import { silentLogger } from './logger.ts';
import type { WorkLease } from './work-lease.ts';

const NOW = Date.UTC(2026, 10, 26);
const EVERY_MS = 600_000;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'performance'] });
  jest.setSystemTime(NOW);
});
afterEach(() => void jest.useRealTimers());
/** A step of the work that lasts so long by the faked clock. */
const takes = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
const seconds = (count: number): Promise<void> => jest.advanceTimersByTimeAsync(count * 1000);

/** The state of a lease that processes share; each opens its own. */
class SharedLease {
  owner = 0;
  dueAt = 0;
  place = '';
  #processes = 0;

  open(): WorkLease {
    this.#processes += 1;
    const me = this.#processes;
    return {
      take: async (now, until, latest) => {
        const isPaused = this.owner === 0 && this.dueAt > latest;
        if (this.dueAt > now && !isPaused) return undefined;
        Object.assign(this, { owner: me, dueAt: until });
        return this.place;
      },
      keep: async (place, until) => {
        if (this.owner === me) Object.assign(this, { place, dueAt: until });
        return this.owner === me;
      },
      giveBack: async (place, dueAt) => {
        if (this.owner === me) Object.assign(this, { owner: 0, place, dueAt });
      },
    };
  }
}

/** A process of those that share the work. */
function openProcess(shared: SharedLease, given: Partial<LeasedWorkOptions> = {}) {
  const seen = { places: [] as string[], elsewhere: 0, logged: [] as string[] };
  const work = createLeasedWork({
    lease: shared.open(),
    clock: systemClock,
    logger: { ...silentLogger, warn: (_fields: object, text: string) => void seen.logged.push(text) },
    everyMs: EVERY_MS,
    retryMs: EVERY_MS,
    failure: 'the work failed',
    async work(held) {
      seen.places.push(held.place);
      await held.reach(`${held.place}x`);
      return Date.now() + EVERY_MS;
    },
    elsewhere: () => {
      seen.elsewhere += 1;
    },
    ...given,
  });
  return { work, seen };
}

test('one of two processes does the work, as often as it is due, and goes on from where it has come to', async () => {
  const shared = new SharedLease();
  const [one, two] = [openProcess(shared), openProcess(shared)];
  one.work.start();
  two.work.start();
  await seconds(0);
  expect([one.seen.places, two.seen.places]).toEqual([[''], []]);
  await seconds(599);
  expect([...one.seen.places, ...two.seen.places]).toEqual(['']);
  expect([one.seen.elsewhere, two.seen.elsewhere > 0]).toEqual([0, true]);
  await seconds(61);
  expect([...one.seen.places, ...two.seen.places]).toEqual(['', 'x']);
  await one.work.stop();
  await seconds(661);
  expect(two.seen.places.at(-1)).toBe('xx');
  await two.work.stop();
});

test('work that lasts is renewed, and what a process left that has ended is taken within a minute', async () => {
  const shared = new SharedLease();
  const steps: number[] = [];
  let isCrashed = false;
  const long = async (held: HeldWork): Promise<number> => {
    await held.reach('tnt_a');
    while (!held.isOver()) {
      await takes(4000);
      if (isCrashed) return new Promise<never>(() => undefined);
      await held.renew();
      steps.push(shared.dueAt - Date.now());
    }
    return Date.now();
  };
  const [one, two] = [openProcess(shared, { work: long }), openProcess(shared)];
  one.work.start();
  two.work.start();
  await seconds(200);
  expect(two.seen.places).toEqual([]);
  expect(Math.min(...steps)).toBeGreaterThan(15_000);
  isCrashed = true;
  await seconds(61);
  expect(two.seen.places).toEqual(['tnt_a']);
  await two.work.stop();
});

test('a place that is named with a renewal is kept with the next extension, and when the work is given back', async () => {
  const shared = new SharedLease();
  const kept: string[] = [];
  const { work } = openProcess(shared, {
    async work(held) {
      for (const place of ['tnt_a', 'tnt_b', 'tnt_c', 'tnt_d']) {
        await held.renew(place);
        kept.push(shared.place);
        await takes(5000);
      }
      return Date.now() + EVERY_MS;
    },
  });
  work.start();
  await seconds(14);
  expect(kept).toEqual(['', '', 'tnt_c']);
  await seconds(10);
  expect(shared).toMatchObject({ owner: 0, place: 'tnt_d' });
  await work.stop();
});

test('who has lost the work ends it, and changes nothing', async () => {
  const shared = new SharedLease();
  let lost: boolean | undefined;
  const { work } = openProcess(shared, {
    async work(held) {
      Object.assign(shared, { owner: 99, place: 'of another', dueAt: Date.now() + 5000 });
      await held.reach('mine');
      lost = held.isOver();
      await held.reach('mine');
      return Date.now();
    },
  });
  work.start();
  await seconds(0);
  expect([lost, shared.owner, shared.place]).toEqual([true, 99, 'of another']);
  await work.stop();
});

test('work that fails is repeated after the pause, from where it has come to, and so is a look that fails', async () => {
  const shared = new SharedLease();
  let calls = 0;
  const failing = openProcess(shared, {
    async work(held) {
      calls += 1;
      await held.reach(`tried ${calls}`);
      throw new Error('the store is out');
    },
  });
  failing.work.start();
  await seconds(0);
  expect([shared.place, failing.seen.logged]).toEqual(['tried 1', ['the work failed']]);
  await seconds(599);
  expect(calls).toBe(1);
  await seconds(2);
  expect(calls).toBe(2);
  await failing.work.stop();

  let isOut = true;
  const lease = new SharedLease().open();
  const out = openProcess(shared, {
    lease: { ...lease, take: async (...given) => (isOut ? Promise.reject(new Error('out')) : lease.take(...given)) },
  });
  out.work.start();
  await seconds(0);
  expect(out.seen).toMatchObject({ places: [], logged: ['the work failed'] });
  isOut = false;
  await seconds(61);
  expect(out.seen.places).toEqual(['']);
  await out.work.stop();
});

test('work that is done and cannot be given back has not failed, and is done again once its lease has run out', async () => {
  const shared = new SharedLease();
  const lease = shared.open();
  let isOut = true;
  const giveBack: WorkLease['giveBack'] = async (...given) => {
    if (isOut) throw new Error('the store is out');
    await lease.giveBack(...given);
  };
  const { work, seen } = openProcess(shared, { lease: { ...lease, giveBack } });
  work.start();
  await seconds(0);
  expect(seen.logged).toEqual(['Regular work was not given back; it is done again once its lease has run out']);
  isOut = false;
  await seconds(61);
  expect([seen.places, seen.logged.length]).toEqual([['', 'x'], 1]);
  await work.stop();
});

test('the stop ends the work after its step, and it is not looked for again', async () => {
  const shared = new SharedLease();
  let endStep = (): void => undefined;
  const { work, seen } = openProcess(shared, {
    async work(held) {
      await new Promise<void>((resolve) => {
        endStep = resolve;
      });
      await held.reach('tnt_a');
      return held.isOver() ? Date.now() : Date.now() + EVERY_MS;
    },
  });
  work.start();
  await seconds(1);
  const stopped = work.stop();
  endStep();
  await stopped;
  expect(shared).toMatchObject({ owner: 0, place: 'tnt_a', dueAt: NOW + 1000 });
  await seconds(2000);
  expect(seen.elsewhere).toBe(0);
});

test('woken work that another process has is looked for soon, and then at the usual pace', async () => {
  const shared = new SharedLease();
  let endStep = (): void => undefined;
  const slow = (): Promise<number> =>
    new Promise((resolve) => {
      endStep = () => resolve(Date.now() + EVERY_MS);
    });
  let looks = 0;
  const lease = shared.open();
  const counting: WorkLease = {
    ...lease,
    take: (...given) => {
      looks += 1;
      return lease.take(...given);
    },
  };
  const one = openProcess(shared, { work: slow });
  const two = openProcess(shared, { lease: counting, wakeAfterMs: 50 });
  one.work.start();
  two.work.start();
  await seconds(1);
  two.work.wake();
  looks = 0;
  await seconds(0.1);
  expect(looks).toBe(1);
  await seconds(20);
  expect(looks).toBe(5);
  endStep();
  await seconds(5);
  expect(two.seen.places).toEqual(['']);
  await seconds(60);
  expect(two.seen.places).toHaveLength(1);
  two.work.wake();
  two.work.wake();
  await seconds(0.1);
  expect(two.seen.places).toHaveLength(2);
  await Promise.all([one.work.stop(), two.work.stop()]);
  two.work.wake();
  await seconds(600);
  expect(two.seen.places).toHaveLength(2);
});
