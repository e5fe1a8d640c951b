import { describe, expect, test } from '@jest/globals';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { ManualClock } from '@parcelway/kernel/clock';
import { accept, cancel, claim, claimOf, correct, dismiss, dispatch, record, type Step, scan, wentTo } from '../testing/intake-steps.ts';
import { after, diesAfter, inSqlite, intakeOn, interleave } from '../testing/processes.ts';
import { intakeEvent, NOW, traceOf } from '../testing/samples.ts';

const NOTHING = { resumed: 0, published: 0 };

/** Takes a step, and notes its refusal code or `done`. */
const noting =
  (outcomes: string[], step: Step): Step =>
  async (store) => {
    const [outcome] = await Promise.allSettled([step(store)]);
    const code = outcome.status === 'rejected' ? (outcome.reason as { code?: string }).code : 'done';
    if (code !== 'done' && code !== '40403' && code !== '40902') throw (outcome as PromiseRejectedResult).reason;
    outcomes.push(code);
  };

const [atOld, atNew] = [scan('OLD'), scan('NEW')];
const renumber = correct('FC1', 2, { trackingNumbers: ['NEW'] });
const relocate = correct('FC1', 2, { warehouseCode: 'WH2', trackingNumbers: ['OLD'] });
const [coming, leaving, byForecast] = [scan('N1'), scan('N1', dispatch), intakeEvent({ forecastNo: 'FC1' })];
const naming = intakeEvent({ forecastNo: 'FC2', expressNo: 'N1' });
const waiting = [scan('N1'), scan('N1', { type: 'processing' })] as const;
const twoWait = [accept('FC1'), accept('FC2'), record(...waiting)];

interface Race {
  readonly before: readonly Step[];
  readonly one: Step;
  readonly another: Step;
}

const races: Readonly<Record<string, Race>> = {
  'an acceptance and the events of its parcel': {
    before: [],
    one: accept('FC1', 'N1'),
    another: record(coming, byForecast, leaving),
  },
  'a report, twice': {
    before: [accept('FC1', 'N1'), record(waiting[0]), accept('FC2', 'N1')],
    one: record(coming, leaving),
    another: record(coming, leaving),
  },
  'a cancellation and an event that is ambiguous without it': {
    before: [accept('FC1', 'N1'), accept('FC2', 'N1'), record(waiting[0])],
    one: cancel('FC1'),
    another: record(coming),
  },
  'an event that says whose parcel a number is on, and one that waits for that': {
    before: [accept('FC1', 'N1'), accept('FC2', 'N1'), record(waiting[0])],
    one: record(naming),
    another: record(coming),
  },
  'a new number and the arrival under the old one': { before: [accept('FC1', 'OLD')], one: renumber, another: record(atOld) },
  'another warehouse and the arrival at the former': { before: [accept('FC1', 'OLD')], one: relocate, another: record(atOld) },
  'a new number and a claim of what waits under it for another': {
    before: [accept('FC1', 'OLD'), accept('FC2', 'TWO'), record(atNew)],
    one: renumber,
    another: claim(atNew, 'FC2'),
  },
  'a new number and another forecast that takes the old one': {
    before: [accept('FC1', 'OLD')],
    one: renumber,
    another: async (store) => {
      await accept('FC2', 'OLD')(store);
      await record(atOld)(store);
    },
  },
  'a claim and another of the number': { before: twoWait, one: claim(waiting[0], 'FC1'), another: claim(waiting[1], 'FC2') },
  'a claim and a dismissal': { before: twoWait, one: claim(waiting[0], 'FC1'), another: dismiss(waiting[1]) },
  'a claim and new events under the number': { before: twoWait, one: claim(waiting[0], 'FC1'), another: record(coming) },
};

/** What comes in afterwards shows what the directory knows. */
const later = [
  record(...['OLD', 'NEW', 'LOST', 'N1'].map((number) => scan(number)), intakeEvent({ expressNo: 'OLD', warehouseCode: 'WH2' })),
];

describe('whoever stops before whichever operation, while the other works', () => {
  test.each(Object.entries(races))('%s: one of them comes first, as a whole', async (_name, { before, one, another }) => {
    const inTurn = async (isReversed: boolean) => {
      const [outcomes, others]: [string[], string[]] = [[], []];
      const calls = [noting(outcomes, one), noting(others, another)];
      const where = await inSqlite([...before, ...(isReversed ? calls.toReversed() : calls), ...later]);
      return { outcomes: [...outcomes, ...others], where };
    };
    const possible = [await inTurn(false), await inTurn(true)];
    for (const isReversed of [false, true]) {
      const [first, second] = isReversed ? [another, one] : [one, another];
      for (let operations = 0, paused = true; paused; operations += 1) {
        const { store, intake, where, close } = await after(before);
        const [held, meanwhile]: [string[], string[]] = [[], []];
        const stop = (pausing: typeof store) => noting(held, first)(intakeOn(pausing));
        paused = await interleave(store, stop, operations, () => noting(meanwhile, second)(intake));
        for (const step of later) await step(intake);
        expect({ operations, ...(await intake.resume(NOW + 1, 100)) }).toEqual({ operations, ...NOTHING });
        const outcomes = isReversed ? [...meanwhile, ...held] : [...held, ...meanwhile];
        expect(possible).toContainEqual({ outcomes, where: await where() });
        await close();
      }
    }
  });

  test('a claim and a purge leave nothing half done', async () => {
    for (let operations = 0, paused = true; paused; operations += 1) {
      const { store, intake, where, close } = await after(twoWait);
      const outcomes: string[] = [];
      const claiming = (pausing: typeof store) => noting(outcomes, claim(waiting[0], 'FC1'))(intakeOn(pausing));
      paused = await interleave(store, claiming, operations, () => intake.purge(NOW + 1, 100));
      expect(['done', '40403']).toContain(outcomes[0]);
      expect((await where()).every((text) => text.endsWith('FC1'))).toBe(true);
      expect(await intake.resume(NOW + 1, 100)).toEqual(NOTHING);
      await close();
    }
  });
});

test('of a claim and an acceptance of the number, the first decides where the claimed event goes', async () => {
  const named = waiting[0];
  for (const isHeld of [true, false]) {
    for (let operations = 0, paused = true; paused; operations += 1) {
      const { store, intake, where, close } = await after(twoWait);
      const outcomes: string[] = [];
      const [claiming, accepting] = [noting(outcomes, claim(named, 'FC1')), accept('FC3', 'N1')];
      const [first, second] = isHeld ? [claiming, accepting] : [accepting, claiming];
      paused = await interleave(
        store,
        (pausing) => first(intakeOn(pausing)),
        operations,
        () => second(intake),
      );
      await intake.record([coming]);
      const all = await where();
      const winner = outcomes[0] === 'done' ? 'FC1' : 'FC3';
      // The acceptance may have brought the other one there: that the number is claimed holds for whoever comes.
      expect(all).toEqual(expect.arrayContaining([wentTo(named.eventId, winner), wentTo(coming.eventId, winner)]));
      expect(all).toHaveLength(3);
      await close();
    }
  }
});

test('the next call finishes a claim that died, also for another event of the number', async () => {
  for (let operations = 0, died = true; died; operations += 1) {
    const { store, intake, where, close } = await after(twoWait);
    died = await diesAfter(store, operations, (dying) => intakeOn(dying).resolve(claimOf(waiting[0], 'FC1')));
    const outcomes: string[] = [];
    await noting(outcomes, claim(waiting[1], 'FC2'))(intake);
    const winner = outcomes[0] === 'done' ? 'FC2' : 'FC1';
    expect(await where()).toEqual(waiting.map(({ eventId }) => wentTo(eventId, winner)).sort());
    expect(await intake.resume(NOW + 1, 100)).toEqual(NOTHING);
    await close();
  }
});

test('a report that goes on behind an acceptance which died does not hide what that left half done', async () => {
  const expected = [wentTo(leaving.eventId, 'FC1'), wentTo(coming.eventId, 'FC2')].sort();
  for (let operations = 0, paused = true; paused; operations += 1) {
    for (let deathAfter = 0, died = true; died; deathAfter += 1) {
      const { store, intake, where, close } = await after([]);
      const accepting = async () => {
        died = await diesAfter(store, deathAfter, (dying) => accept('FC1', 'N1')(intakeOn(dying)));
      };
      paused = await interleave(store, (pausing) => record(leaving)(intakeOn(pausing)), operations, accepting);
      for (const step of [accept('FC1', 'N1'), accept('FC2', 'N1'), record(coming)]) await step(intake);
      expect({ operations, deathAfter, is: await where() }).toEqual({ operations, deathAfter, is: expected });
      await close();
    }
  }
});

describe('a process that dies', () => {
  test('leaves the beginning of a call, and the rest, sent again, is matched behind that', async () => {
    const before = [accept('FC1', 'N1'), record(scan('N1')), accept('FC2', 'N1')];
    const next = scan('N1');
    const expected = await inSqlite([...before, record(leaving, next)]);
    for (let operations = 0, died = true; died; operations += 1) {
      const { store, intake, where, close } = await after(before);
      died = await diesAfter(store, operations, (dying) => record(leaving)(intakeOn(dying)));
      await record(leaving, next)(intake);
      const is = await where();
      expect({ operations, is }).toEqual({ operations, is: expected });
      await close();
    }
  });

  test('right after it stored a waiting event leaves that to the sweep, should the report never come again', async () => {
    const { store, intake, published, where, close } = await after([]);
    const event = scan('N1');
    const dies = (step: Step, operations: number) => diesAfter(store, operations, (dying) => step(intakeOn(dying)));
    for (let operations = 0; (await intake.unclaimed(1)).length === 0; operations += 1) {
      expect(await dies((dying) => dying.record([event], () => traceOf(1)), operations)).toBe(true);
    }
    // A forecast that is there, of whose acceptance nothing more is heard.
    expect(await dies(accept('FC1', 'N1'), 0)).toBe(true);
    expect(await intake.resume(NOW, 100)).toEqual(NOTHING);
    expect(await intake.resume(NOW + 1, 100)).toEqual({ resumed: 1, published: 1 });
    expect(await where()).toEqual([wentTo(event.eventId, 'FC1')]);
    // The report and its trace are long over.
    expect((await published()).map(decodeEvent)).toEqual([expect.not.objectContaining({ traceparent: expect.anything() })]);
    await close();
  });
});

test('a scan that waits is released by a later naming event of a replica whose clock is behind', async () => {
  const clock = new ManualClock(NOW);
  const { store, intake, where, close } = await after(
    [accept('FC1', 'N1'), record(scan('N1')), accept('FC2', 'N1'), record(naming)],
    clock,
  );
  const late = scan('N1');
  expect(await intakeOn(store, new ManualClock(NOW + 100)).record([late])).toMatchObject({ waiting: [{ reason: 'ambiguous' }] });
  clock.advance(1);
  expect(await intake.record([intakeEvent({ forecastNo: 'FC2', expressNo: 'N1' })])).toMatchObject({ published: 2 });
  expect(await where()).toContain(wentTo(late.eventId, 'FC2'));
  await close();
});
