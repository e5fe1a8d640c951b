import { describe, expect, test } from '@jest/globals';
import { accept, cancel, claim, claimOf, correct, dismiss, dispatch, record, type Step, scan, wentTo } from '../testing/intake-steps.ts';
import { diesAfter, inSqlite, interleave, useMongoIntake } from '../testing/mongo-intake.ts';
import { intakeEvent, NOW } from '../testing/samples.ts';

const intake = useMongoIntake();
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

const [atOld, atNew, lost] = [scan('OLD'), scan('NEW'), scan('LOST')];
const moved = intakeEvent({ expressNo: 'OLD', warehouseCode: 'WH2' });
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
  'an acceptance, twice': {
    before: [record(waiting[0], byForecast, leaving)],
    one: accept('FC1', 'N1'),
    another: accept('FC1', 'N1'),
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
  'a new number and the arrival under it': { before: [accept('FC1', 'OLD')], one: renumber, another: record(atNew) },
  'another warehouse and the arrival at the former': { before: [accept('FC1', 'OLD')], one: relocate, another: record(atOld) },
  'another warehouse and the arrival there': { before: [accept('FC1', 'OLD')], one: relocate, another: record(moved) },
  'another warehouse and a claim at the former': {
    before: [accept('FC1', 'OLD'), record(lost)],
    one: relocate,
    another: claim(lost, 'FC1'),
  },
  'a new number and a claim of what waits under it for another': {
    before: [accept('FC1', 'OLD'), accept('FC2', 'TWO'), record(atNew)],
    one: renumber,
    another: claim(atNew, 'FC2'),
  },
  'a new number and a dismissal of what waits under it': {
    before: [accept('FC1', 'OLD'), record(atNew)],
    one: renumber,
    another: dismiss(atNew),
  },
  'a new number and its cancellation': { before: [accept('FC1', 'OLD'), record(atNew)], one: renumber, another: cancel('FC1') },
  'a new number and the correction after it': {
    before: [accept('FC1', 'OLD'), record(atNew, lost)],
    one: renumber,
    another: correct('FC1', 3, { trackingNumbers: ['LOST'] }),
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
  'a claim and the same': { before: twoWait, one: claim(waiting[0], 'FC1'), another: claim(waiting[1], 'FC1') },
  'a claim and a dismissal': { before: twoWait, one: claim(waiting[0], 'FC1'), another: dismiss(waiting[1]) },
  'a claim and new events under the number': { before: twoWait, one: claim(waiting[0], 'FC1'), another: record(coming) },
  'a dismissal and new events under the number': { before: twoWait, one: dismiss(waiting[0]), another: record(coming) },
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
        const store = await intake.after(before);
        const [held, meanwhile]: [string[], string[]] = [[], []];
        paused = await interleave(
          intake.database,
          (database) => noting(held, first)(intake.open(database)),
          operations,
          () => noting(meanwhile, second)(store),
        );
        for (const step of later) await step(store);
        expect({ operations, ...(await store.resume(NOW + 1, 100)) }).toEqual({ operations, ...NOTHING });
        const outcomes = isReversed ? [...meanwhile, ...held] : [...held, ...meanwhile];
        expect(possible).toContainEqual({ outcomes, where: await intake.where(store) });
      }
    }
  });

  test('a claim and a purge leave nothing half done', async () => {
    for (let operations = 0, paused = true; paused; operations += 1) {
      const store = await intake.after(twoWait);
      const outcomes: string[] = [];
      paused = await interleave(
        intake.database,
        (database) => noting(outcomes, claim(waiting[0], 'FC1'))(intake.open(database)),
        operations,
        () => store.purge(NOW + 1, 100),
      );
      expect(['done', '40403']).toContain(outcomes[0]);
      expect((await intake.where(store)).every((text) => text.endsWith('FC1'))).toBe(true);
      expect(await store.resume(NOW + 1, 100)).toEqual(NOTHING);
    }
  });
});

test('of a claim and an acceptance of the number, the first decides where the claimed event goes', async () => {
  const named = waiting[0];
  for (const isHeld of [true, false]) {
    for (let operations = 0, paused = true; paused; operations += 1) {
      const store = await intake.after(twoWait);
      const outcomes: string[] = [];
      const [claiming, accepting] = [noting(outcomes, claim(named, 'FC1')), accept('FC3', 'N1')];
      const [first, second] = isHeld ? [claiming, accepting] : [accepting, claiming];
      paused = await interleave(
        intake.database,
        (database) => first(intake.open(database)),
        operations,
        () => second(store),
      );
      await store.record([coming]);
      const where = await intake.where(store);
      const winner = outcomes[0] === 'done' ? 'FC1' : 'FC3';
      // The acceptance may have brought the other one there: that the number is claimed holds for whoever comes.
      expect(where).toEqual(expect.arrayContaining([wentTo(named.eventId, winner), wentTo(coming.eventId, winner)]));
      expect(where).toHaveLength(3);
    }
  }
});

test('the next call finishes a claim that died, also for another event of the number', async () => {
  for (let operations = 0, died = true; died; operations += 1) {
    const store = await intake.after(twoWait);
    died = await diesAfter(intake.database, operations, (database) => intake.open(database).resolve(claimOf(waiting[0], 'FC1')));
    const outcomes: string[] = [];
    await noting(outcomes, claim(waiting[1], 'FC2'))(store);
    const winner = outcomes[0] === 'done' ? 'FC2' : 'FC1';
    expect(await intake.where(store)).toEqual(waiting.map(({ eventId }) => wentTo(eventId, winner)).sort());
    expect(await store.resume(NOW + 1, 100)).toEqual(NOTHING);
  }
});

test('a report that goes on behind an acceptance which died does not hide what that left half done', async () => {
  const expected = [wentTo(leaving.eventId, 'FC1'), wentTo(coming.eventId, 'FC2')].sort();
  for (let operations = 0, paused = true; paused; operations += 1) {
    for (let deathAfter = 0, died = true; died; deathAfter += 1) {
      const store = await intake.after([]);
      paused = await interleave(
        intake.database,
        (database) => record(leaving)(intake.open(database)),
        operations,
        async () => {
          died = await diesAfter(intake.database, deathAfter, (database) => accept('FC1', 'N1')(intake.open(database)));
        },
      );
      for (const step of [accept('FC1', 'N1'), accept('FC2', 'N1'), record(coming)]) await step(store);
      expect({ operations, deathAfter, is: await intake.where(store) }).toEqual({ operations, deathAfter, is: expected });
    }
  }
});
