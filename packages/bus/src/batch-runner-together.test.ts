import { expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import fc from 'fast-check';
import { type BatchRunner, createBatchRunner, type TriedRecord } from './batch-runner.ts';
import { type LogRecord, MAX_BATCH, MAX_BATCH_BYTES, type OutgoingRecord } from './driver.ts';

/** What happens to a record: 'unread' cannot be decoded, 'skipped' has no handler, the others fail as they say. */
type Fate = 'fine' | 'unread' | 'skipped' | 'refused' | 'defect' | 'out-once' | 'out-thrice' | 'defect-once';

interface Plan {
  readonly key: string;
  readonly fate: Fate;
}

interface Run {
  readonly runner: BatchRunner;
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

/** A runner over records that fail as planned. The handler has an effect for each record before the first that fails. */
function start(plans: readonly Plan[], together: boolean, publish?: (records: readonly OutgoingRecord[]) => Promise<void>): Run {
  const dead: OutgoingRecord[] = [];
  const calls: number[][] = [];
  const effects: number[] = [];
  const tried: TriedRecord[] = [];
  const reports: string[] = [];
  const failures = plans.map(({ fate }) => failuresOf[fate]);
  const runner = createBatchRunner<number>({
    group: 'g',
    read: ({ offset }) => {
      const fate = plans[Number(offset)]?.fate;
      if (fate === 'unread') throw new AppError('40001');
      return fate === 'skipped' ? undefined : Number(offset);
    },
    handle: async (records) => {
      calls.push(records.map(({ content }) => content));
      for (const { content } of records) {
        await null;
        if ((failures[content] ?? 0) > 0) {
          failures[content] = (failures[content] ?? 0) - 1;
          throw errorOf(plans[content]?.fate ?? 'defect');
        }
        effects.push(content);
      }
    },
    together,
    publish: async (records) => {
      await publish?.(records);
      dead.push(...records);
    },
    logger: silentLogger,
    clock: new ManualClock(0),
    random: () => 1,
    observe: (topic, all) => {
      tried.push(...all);
      reports.push(`${topic}: ${all.map(({ outcome }) => outcome)}`);
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
  fc.record({ key: fc.constantFrom('a', 'b', 'c'), fate: fc.constantFrom(...(Object.keys(failuresOf) as Fate[]), 'fine', 'fine', 'fine') }),
  { maxLength: 40 },
);

test('law: batches end as single records do: the same dead letters once each, every other record handled, each key in order', async () => {
  await fc.assert(
    fc.asyncProperty(plansOf, fc.integer({ min: 1, max: 20 }), async (plans, limit) => {
      const [batches, single] = [start(plans, true), start(plans, false)];
      await drive(batches, plans, limit);
      await drive(single, plans, limit);
      expect(deadOf(batches)).toEqual(deadOf(single));
      expect([...new Set(batches.effects)].sort()).toEqual([...single.effects].sort());
      expect(counts(batches, 'done')).toBe(counts(single, 'done'));
      expect(counts(batches, 'dead_lettered')).toBe(counts(single, 'dead_lettered'));
      for (const key of ['a', 'b', 'c']) {
        // A record that comes again may repeat what is behind it, but its last handling comes after that of all before it.
        const last = batches.effects.filter((index, at) => plans[index]?.key === key && batches.effects.lastIndexOf(index) === at);
        expect(last).toEqual([...last].sort((one, other) => one - other));
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
  const run = start(plans, true, async () => {
    if (refusals-- > 0) throw AppError.unavailable('log out');
  });
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
