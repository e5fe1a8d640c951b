import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { consumerActionOf, errorCodes } from '@parcelway/kernel/error-codes';
import { silentLogger } from '@parcelway/kernel/logger';
import fc from 'fast-check';
import { BatchRunner, type BatchRunnerOptions, type TriedRecord } from './batch-runner.ts';
import { type LogRecord, MAX_BATCH, MAX_BATCH_BYTES, type OutgoingRecord } from './driver.ts';
import { MAX_TRIES, verdictOn } from './failed-records.ts';

/** What happens to a record: 'unread' cannot be decoded, 'skipped' has no handler, the others fail as they say. */
type Fate = 'fine' | 'unread' | 'skipped' | 'refused' | 'defect' | 'out-once' | 'out-thrice' | 'defect-once';

interface Plan {
  readonly key: string;
  readonly fate: Fate;
  /** How long the handling takes, in turns; default 0. */
  readonly turns?: number;
}

interface Run {
  readonly runner: BatchRunner<number>;
  readonly dead: OutgoingRecord[];
  /** Offsets by call of the handler. */
  readonly calls: number[][];
  /** Offsets that were handled with success, in that order. */
  readonly effects: number[];
  readonly tried: TriedRecord[];
  /** Outcomes by delivery, each with its topic. */
  readonly reports: string[];
}

const failuresOf: Readonly<Record<Fate, number>> = {
  fine: 0,
  unread: 0,
  skipped: 0,
  refused: Number.POSITIVE_INFINITY,
  defect: Number.POSITIVE_INFINITY,
  'out-once': 1,
  'out-thrice': 3,
  'defect-once': 1,
};

function errorOf(fate: Fate): Error {
  if (fate === 'refused') return new AppError('42201');
  return fate.startsWith('out') ? AppError.unavailable('out') : new TypeError('defect');
}

const recordOf = ({ key }: Pick<Plan, 'key'>, index: number, value: Uint8Array | null = null): LogRecord => ({
  topic: 't',
  partition: 0,
  offset: String(index),
  key,
  value,
  headers: {},
  timestamp: 0,
});

/** A runner over records that fail as planned, unless `over` says otherwise. The handler has an effect for each record before the first that fails. */
function start(plans: readonly Plan[], together: boolean, over: Partial<BatchRunnerOptions<number>> = {}): Run {
  const dead: OutgoingRecord[] = [];
  const calls: number[][] = [];
  const effects: number[] = [];
  const tried: TriedRecord[] = [];
  const reports: string[] = [];
  const failures = plans.map(({ fate }) => failuresOf[fate]);
  const runner = new BatchRunner<number>({
    group: 'g',
    read: ({ offset }) => {
      const fate = plans[Number(offset)]?.fate;
      if (fate === 'unread') throw new AppError('40001');
      return fate === 'skipped' ? undefined : Number(offset);
    },
    handle: async (records) => {
      calls.push(records.map(({ content }) => content));
      for (const { content } of records) {
        for (let turn = 0; turn <= (plans[content]?.turns ?? 0); turn += 1) await null;
        if ((failures[content] ?? 0) > 0) {
          failures[content] = (failures[content] ?? 0) - 1;
          throw errorOf(plans[content]?.fate ?? 'defect');
        }
        effects.push(content);
      }
    },
    together,
    logger: silentLogger,
    clock: new ManualClock(0),
    random: () => 1,
    observe: (topic, all) => {
      tried.push(...all);
      reports.push(`${topic}: ${all.map(({ outcome }) => outcome)}`);
    },
    ...over,
    publish: async (records) => {
      await over.publish?.(records);
      dead.push(...records);
    },
  });
  return { runner, dead, calls, effects, tried, reports };
}

/** Delivers as a driver does until nothing is left. */
async function drive({ runner }: Run, plans: readonly Plan[], limit = 7): Promise<void> {
  const records = plans.map((plan, index) => recordOf(plan, index));
  let position = 0;
  for (let round = 0; position < records.length; round += 1) {
    if (round > 500) throw new Error('no end');
    position += (await runner.run(records.slice(position, position + limit))).done;
  }
}

const deadOf = ({ dead }: Run) => dead.map(({ headers }) => [Number(headers?.['dlq-offset']), headers?.['dlq-code']]).sort();
const counts = ({ tried }: Run, outcome: TriedRecord['outcome']) => tried.filter((one) => one.outcome === outcome).length;
const fine = (count: number): Plan[] => Array.from({ length: count }, (_, index) => ({ key: `k${index % 5}`, fate: 'fine' }));

const plansOf = fc.array(
  fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    fate: fc.constantFrom(...(Object.keys(failuresOf) as Fate[]), 'fine', 'fine', 'fine'),
    turns: fc.nat(3),
  }),
  { maxLength: 40 },
);

test('law: each record is handled or a dead letter once, and each key in order; batches end as single records do', async () => {
  await fc.assert(
    fc.asyncProperty(plansOf, fc.integer({ min: 1, max: 20 }), async (plans, limit) => {
      const [batches, single] = [start(plans, true), start(plans, false)];
      await drive(batches, plans, limit);
      await drive(single, plans, limit);
      const finished = [...single.effects, ...single.dead.map(({ headers }) => Number(headers?.['dlq-offset']))];
      expect(finished.sort((one, other) => one - other)).toEqual(plans.flatMap(({ fate }, index) => (fate === 'skipped' ? [] : [index])));
      expect(deadOf(batches)).toEqual(deadOf(single));
      expect([...new Set(batches.effects)].sort()).toEqual([...single.effects].sort());
      expect(counts(batches, 'done')).toBe(counts(single, 'done'));
      expect(counts(batches, 'dead_lettered')).toBe(counts(single, 'dead_lettered'));
      for (const key of ['a', 'b', 'c']) {
        // A record that comes again may repeat what is behind it, but its last handling comes after that of all before it.
        const last = batches.effects.filter((index, at) => plans[index]?.key === key && batches.effects.lastIndexOf(index) === at);
        const once = single.effects.filter((index) => plans[index]?.key === key);
        for (const handled of [last, once]) expect(handled).toEqual([...handled].sort((one, other) => one - other));
      }
    }),
  );
});

test('law: no record is handled for the first time before all earlier ones of its key are finished or in the same batch', async () => {
  await fc.assert(
    fc.asyncProperty(plansOf, async (plans) => {
      const run = start(plans, true);
      await drive(run, plans);
      const begun = new Set<number>();
      for (const call of run.calls) {
        expect(call).toEqual([...call].sort((one, other) => one - other));
        for (const index of call) {
          const before = plans.flatMap(({ key, fate }, other) =>
            other < index && key === plans[index]?.key && !['unread', 'skipped'].includes(fate) ? [other] : [],
          );
          expect(before.filter((other) => !begun.has(other))).toEqual([]);
          begun.add(index);
        }
      }
    }),
  );
});

test('the records of a delivery come together, without those that nobody handles and those that cannot be read', async () => {
  const plans: Plan[] = [...fine(2), { key: 'a', fate: 'unread' }, { key: 'b', fate: 'skipped' }, ...fine(2)];
  const run = start(plans, true);
  expect(await run.runner.run(plans.map((plan, index) => recordOf(plan, index)))).toEqual({ done: 6, pauseMs: 0 });
  expect(run.calls).toEqual([[0, 1, 4, 5]]);
  expect(deadOf(run)).toEqual([[2, '40001']]);
  expect([counts(run, 'done'), counts(run, 'dead_lettered')]).toEqual([5, 1]);
});

test('while a dependency is out the whole batch comes again, after growing pauses', async () => {
  const plans: Plan[] = [...fine(3), { key: 'a', fate: 'out-thrice' }, ...fine(1)];
  const run = start(plans, true);
  const records = plans.map((plan, index) => recordOf(plan, index));
  const outcomes = [];
  for (let round = 0; round < 4; round += 1) outcomes.push(await run.runner.run(records));
  expect(outcomes).toEqual([200, 400, 800].map((pauseMs) => ({ done: 0, pauseMs })).concat({ done: 5, pauseMs: 0 }));
  expect(run.calls).toEqual(Array.from({ length: 4 }, () => [0, 1, 2, 3, 4]));
  expect([counts(run, 'retried'), counts(run, 'done'), run.dead]).toEqual([15, 5, []]);
});

test('nothing behind a dead letter that cannot be stored is begun; what is before it is handled', async () => {
  let refusals = 1;
  const plans: Plan[] = [...fine(2), { key: 'a', fate: 'unread' }, ...fine(2)];
  const publish = async (): Promise<void> => {
    if (refusals-- > 0) throw AppError.unavailable('log out');
  };
  const run = start(plans, true, { publish });
  const records = plans.map((plan, index) => recordOf(plan, index));
  expect(await run.runner.run(records)).toEqual({ done: 2, pauseMs: 200 });
  expect(run.calls).toEqual([[0, 1]]);
  expect(await run.runner.run(records.slice(2))).toEqual({ done: 3, pauseMs: 0 });
  expect(deadOf(run)).toEqual([[2, '40001']]);
});

test('a batch has at most 200 records, and about 8 MB; one that fails lets none behind it begin', async () => {
  const plans: Plan[] = fine(450);
  const run = start(plans, true);
  await run.runner.run(plans.map((plan, index) => recordOf(plan, index)));
  expect(run.calls.map((call) => call.length)).toEqual([MAX_BATCH, MAX_BATCH, 50]);

  const large = start(plans, true);
  const [third, whole] = [new Uint8Array(MAX_BATCH_BYTES / 3), new Uint8Array(MAX_BATCH_BYTES + 1)];
  await large.runner.run([third, third, whole, third, third, third].map((value, index) => recordOf({ key: 'k' }, index, value)));
  expect(large.calls).toEqual([[0, 1], [2], [3, 4, 5]]);

  const failing: Plan[] = [...fine(250)];
  failing[10] = { key: 'a', fate: 'out-once' };
  const stopped = start(failing, true);
  expect(await stopped.runner.run(failing.map((plan, index) => recordOf(plan, index)))).toEqual({ done: 0, pauseMs: 200 });
  expect(stopped.calls).toHaveLength(1);
});

test.each([
  [true, 1],
  [false, 3],
])('tries are reported as soon as the records that were handled with them are done (together: %s)', async (together, reports) => {
  const plans: Plan[] = [...fine(1), { key: 'x', fate: 'unread' }, { key: 'y', fate: 'skipped' }];
  const run = start(plans, together);
  await run.runner.run([]);
  const running = run.runner.run(plans.map((plan, index) => recordOf(plan, index)));
  await running;
  const words = run.reports.map((report) => report.match(/\w+/g) ?? []);
  expect(
    words
      .flat()
      .filter((word) => word !== 't')
      .sort(),
  ).toEqual(['dead_lettered', 'done', 'done']);
  expect(run.reports).toHaveLength(reports);
});

test('the longest finished prefix of single records is reported, with the pause', async () => {
  const plans: Plan[] = [...fine(2), { key: 'c', fate: 'out-thrice' }, { key: 'c', fate: 'fine' }];
  const { runner } = start(plans, false);
  const records = plans.map((plan, index) => recordOf(plan, index));
  expect(await runner.run(records)).toEqual({ done: 2, pauseMs: 200 });
  expect(await runner.run(records.slice(2))).toEqual({ done: 0, pauseMs: 400 });
});

test('single records of one key never overlap, those of different keys do', async () => {
  let [running, most, overlap] = [0, 0, false];
  const runningKeys = new Set<string | null>();
  const { runner } = start([], false, {
    handle: async (handled) => {
      const keys = handled.map(({ record }) => record.key);
      overlap ||= keys.length > 1 || keys.some((key) => runningKeys.has(key));
      for (const key of keys) runningKeys.add(key);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      for (const key of keys) runningKeys.delete(key);
    },
  });
  await runner.run(Array.from({ length: 120 }, (_, index) => recordOf({ key: `k${index % 40}` }, index)));
  expect([overlap, most]).toEqual([false, 16]);
});

test('nothing behind a single record that has to come again is begun', async () => {
  const plans = Array.from(
    { length: 100 },
    (_, index): Plan => ({ key: `k${index}`, fate: index === 0 ? 'out-once' : 'fine', turns: index && 100 }),
  );
  const { runner, calls } = start(plans, false);
  expect((await runner.run(plans.map((plan, index) => recordOf(plan, index)))).done).toBe(0);
  expect(calls).toHaveLength(16);
});

test('tries of records that another member has taken on are forgotten', async () => {
  const plans: Plan[] = [{ key: 'a', fate: 'defect' }, ...fine(1)];
  const { runner, dead } = start(plans, false);
  const [bad, other] = plans.map((plan, index) => recordOf(plan, index)) as [LogRecord, LogRecord];
  for (let round = 1; round < MAX_TRIES; round += 1) await runner.run([bad]);
  await runner.run([other]);
  expect([await runner.run([bad]), dead]).toMatchObject([{ done: 0 }, []]);
});

test('a message does not become a dead letter for one defect after a long outage', async () => {
  let failures = 0;
  const run = start([], false, {
    handle: async () => {
      failures += 1;
      if (failures <= 20) throw AppError.unavailable('out');
      if (failures < 20 + MAX_TRIES) throw new Error('defect');
    },
  });
  await drive(run, fine(1));
  expect([failures, run.dead]).toEqual([25, []]);
});

describe('a failure', () => {
  test.each(errorCodes)('%s is treated as the catalogue says', (code) => {
    const verdicts = [1, MAX_TRIES - 1, MAX_TRIES, 1000].map(
      (tries) => verdictOn(new AppError(code), { all: tries, defects: tries }, 0.5).action,
    );
    const expected = {
      retry: ['retry', 'retry', 'retry', 'retry'],
      'retry-then-dead-letter': ['retry', 'retry', 'dead-letter', 'dead-letter'],
      'dead-letter': ['dead-letter', 'dead-letter', 'dead-letter', 'dead-letter'],
    }[consumerActionOf[code]];
    expect(verdicts).toEqual(expected);
  });

  test('is followed by a pause of 30 s at most', () => {
    expect(verdictOn(AppError.unavailable('out'), { all: 50, defects: 0 }, 1)).toEqual({ action: 'retry', pauseMs: 30_000 });
  });
});
