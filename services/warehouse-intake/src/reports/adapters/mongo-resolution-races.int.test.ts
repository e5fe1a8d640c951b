import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { laterOutbox } from '@parcelway/mongo/testing/later-outbox';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { intakeCollections } from '../../adapters/mongo-collections.ts';
import { openMongoStores } from '../../adapters/mongo-stores.ts';
import { events } from '../../expected/adapters/mongo-schema.ts';
import type { ResolutionRequest } from '../../expected/domain/resolution.ts';
import { collectPublications } from '../../testing/collect-publications.ts';
import { accept, claimOf, dismissalOf, record, type Step, scan, wentTo, whereabouts } from '../../testing/intake-steps.ts';
import { diesAfter, interleave } from '../../testing/mongo-faults.ts';
import { NOW } from '../../testing/samples.ts';
import type { ResolveOutcome } from '../ports.ts';
import type { MongoIntakeStore } from './mongo-intake-store.ts';

// Thousands of writes, each confirmed by the disk, on a machine that may have other things to do.
jest.setTimeout(180_000);

let opened: TestDatabase;
let other: MongoDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(intakeCollections);
  other = await opened.second();
});
afterAll(() => opened.close());

const openStore = (database: MongoDatabase): MongoIntakeStore => openMongoStores(database, new ManualClock(NOW));

const waiting = [scan('N1'), scan('N1', { type: 'processing' })] as const;
const coming = scan('N1', { type: 'put_away' });
const before: readonly Step[] = [accept('FC1'), accept('FC2'), record(...waiting)];

type Outcome = PromiseSettledResult<ResolveOutcome>;
const settled = async (store: MongoIntakeStore, request: ResolutionRequest): Promise<Outcome> =>
  (await Promise.allSettled([store.resolve(request)]))[0];
/** What a call did: how many events, or why none. */
const countOrCode = (outcome: Outcome | undefined): number | string =>
  outcome?.status === 'fulfilled' ? outcome.value.resolution.events : String((outcome?.reason as { code?: string } | undefined)?.code);

/** For each operation before which `first` may be held up: what becomes of `first`, of `second`, and where the events are in the end. */
async function eachInterleaving<T>(
  first: (store: MongoIntakeStore) => Promise<T>,
  second: (store: MongoIntakeStore) => Promise<unknown>,
  check: (one: T, where: readonly string[], store: MongoIntakeStore) => void | Promise<void>,
): Promise<void> {
  for (let operations = 0, paused = true; paused; operations += 1) {
    await opened.clear();
    const store = openStore(other);
    for (const step of before) await step(store);
    let one: T | undefined;
    const run = async (database: MongoDatabase): Promise<void> => {
      one = await first(openStore(database));
    };
    paused = await interleave(opened.database, run, operations, () => second(store));
    const where = await whereabouts(store, collectPublications(laterOutbox(opened.database, events, new ManualClock(NOW))));
    expect({ operations, ...(await store.resume(NOW + 1, 100)) }).toEqual({ operations, resumed: 0, published: 0 });
    await check(one as T, where, store);
  }
}

const all = (forecastNo: string): string[] => waiting.map(({ eventId }) => wentTo(eventId, forecastNo)).sort();

describe('a claim', () => {
  const claim =
    (forecastNo: string, index: 0 | 1 = 0) =>
    (store: MongoIntakeStore) =>
      settled(store, claimOf(waiting[index], forecastNo));

  test('against a forecast that comes and declares the number: what was named goes where the one who came first says', async () => {
    const seen = new Set<string>();
    const check = async (outcome: Outcome, where: readonly string[], store: MongoIntakeStore): Promise<void> => {
      const named = where.find((text) => text.startsWith(waiting[0].eventId)) as string;
      if (outcome.status === 'fulfilled') expect(named).toBe(wentTo(waiting[0].eventId, 'FC1'));
      else expect([countOrCode(outcome), named]).toEqual(['40902', wentTo(waiting[0].eventId, 'FC3')]);
      seen.add(outcome.status);
      expect(where).toHaveLength(2);
      const counted = where.filter((text) => text.endsWith('FC1')).length;
      // The acceptance may have brought the other one there: that the number is claimed holds for whoever comes.
      if (outcome.status === 'fulfilled') expect([counted - 1, counted]).toContain(countOrCode(outcome));
      await store.record([coming]);
      expect(await whereabouts(store, collectPublications(laterOutbox(opened.database, events, new ManualClock(NOW))))).toEqual([
        wentTo(coming.eventId, outcome.status === 'fulfilled' ? 'FC1' : 'FC3'),
      ]);
    };
    await eachInterleaving(claim('FC1'), accept('FC3', 'N1'), check);
    expect(seen).toEqual(new Set(['fulfilled', 'rejected']));
    // The other way round: the acceptance is held up.
    for (let operations = 0, paused = true; paused; operations += 1) {
      await opened.clear();
      const store = openStore(other);
      for (const step of before) await step(store);
      let outcome: Outcome | undefined;
      paused = await interleave(
        opened.database,
        (database) => accept('FC3', 'N1')(openStore(database)),
        operations,
        async () => {
          outcome = await claim('FC1')(store);
        },
      );
      await check(
        outcome as Outcome,
        await whereabouts(store, collectPublications(laterOutbox(opened.database, events, new ManualClock(NOW)))),
        store,
      );
    }
  });

  test('against another claim of the number, and against a dismissal: one is carried out, as a whole', async () => {
    const dismissal = (store: MongoIntakeStore): Promise<Outcome> => settled(store, dismissalOf(waiting[1]));
    for (const [rival, won] of [[claim('FC2', 1), all('FC2')] as const, [dismissal, [] as string[]] as const]) {
      let second: Outcome | undefined;
      const keep = async (store: MongoIntakeStore): Promise<void> => {
        second = await rival(store);
      };
      await eachInterleaving(claim('FC1'), keep, (first, where) => {
        const outcomes = [countOrCode(first), countOrCode(second)];
        expect(outcomes.filter((one) => one === 2)).toHaveLength(1);
        expect(outcomes.filter((one) => one === '40902')).toHaveLength(1);
        const isFirst = outcomes[0] === 2;
        expect(where).toEqual(isFirst ? all('FC1') : won);
      });
    }
  });

  test('against the same claim: both learn of the same', async () => {
    let second: Outcome | undefined;
    const keep = async (store: MongoIntakeStore): Promise<void> => {
      second = await claim('FC1', 1)(store);
    };
    await eachInterleaving(claim('FC1'), keep, async (first, where, store) => {
      expect([countOrCode(first), countOrCode(second), where]).toEqual([2, 2, all('FC1')]);
      expect(await store.resolutions({ warehouseCode: 'WH1', limit: 10 })).toHaveLength(1);
    });
  });

  test('against new events under the number: they go there, too', async () => {
    const end = [...all('FC1'), wentTo(coming.eventId, 'FC1')].sort();
    await eachInterleaving(claim('FC1'), record(coming), (_outcome, where) => expect(where).toEqual(end));
    await eachInterleaving(record(coming), claim('FC1'), (_outcome, where) => expect(where).toEqual(end));
  });

  test('against the end of the keeping: nothing is left half done', async () => {
    await eachInterleaving(
      claim('FC1'),
      (store) => store.purge(NOW + 1, 100),
      (outcome, where) => {
        if (outcome.status === 'rejected') expect(countOrCode(outcome)).toBe('40403');
        expect(where.every((text) => text.endsWith('FC1'))).toBe(true);
      },
    );
  });

  test('that died goes on with whoever comes next, also for another event of the number', async () => {
    for (let operations = 0, died = true; died; operations += 1) {
      await opened.clear();
      const store = openStore(other);
      for (const step of before) await step(store);
      died = await diesAfter(opened.database, operations, (database) => openStore(database).resolve(claimOf(waiting[0], 'FC1')));
      const next = await settled(store, claimOf(waiting[1], 'FC2'));
      const where = await whereabouts(store, collectPublications(laterOutbox(opened.database, events, new ManualClock(NOW))));
      expect(where).toEqual(all(next.status === 'fulfilled' ? 'FC2' : 'FC1'));
      expect({ operations, outcome: countOrCode(next) }).toEqual({ operations, outcome: next.status === 'fulfilled' ? 2 : '40902' });
      expect(await store.resume(NOW + 1, 100)).toEqual({ resumed: 0, published: 0 });
    }
  });
});

test('a dismissal against new events under the number: they wait, or were dismissed with the others', async () => {
  const dismissal = (store: MongoIntakeStore) => settled(store, dismissalOf(waiting[0]));
  const check = (outcome: Outcome, where: readonly string[]): void => {
    expect(where).toEqual(countOrCode(outcome) === 3 ? [] : [`${coming.eventId}: no_forecast`]);
  };
  await eachInterleaving(dismissal, record(coming), check);
});
