import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { laterOutbox } from '@parcelway/mongo/testing/later-outbox';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { intakeCollections } from '../../adapters/mongo-collections.ts';
import { openMongoStores } from '../../adapters/mongo-stores.ts';
import { events } from '../../expected/adapters/mongo-schema.ts';
import { collectPublications } from '../../testing/collect-publications.ts';
import { accept, cancel, dispatch, record, type Step, scan, wentTo, whereabouts } from '../../testing/intake-steps.ts';
import { diesAfter, interleave } from '../../testing/mongo-faults.ts';
import { intakeEvent, NOW } from '../../testing/samples.ts';
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

const waiting = scan('N1');
const coming = scan('N1');
const leaving = scan('N1', dispatch);
const byForecast = intakeEvent({ forecastNo: 'FC1' });
const naming = intakeEvent({ forecastNo: 'FC2', expressNo: 'N1' });

describe('whoever stops before whichever operation, while the other works', () => {
  const races: Readonly<Record<string, { readonly before: Step[]; readonly one: Step; readonly another: Step; readonly end: string[] }>> = {
    'an acceptance and the events of its parcel': {
      before: [],
      one: accept('FC1', 'N1'),
      another: record(coming, byForecast, leaving),
      end: [coming, byForecast, leaving].map(({ eventId }) => wentTo(eventId, 'FC1')),
    },
    'an acceptance, twice': {
      before: [record(waiting, byForecast, leaving)],
      one: accept('FC1', 'N1'),
      another: accept('FC1', 'N1'),
      end: [waiting, byForecast, leaving].map(({ eventId }) => wentTo(eventId, 'FC1')),
    },
    'a report, twice': {
      before: [accept('FC1', 'N1'), record(waiting), accept('FC2', 'N1')],
      one: record(coming, leaving),
      another: record(coming, leaving),
      end: [waiting, coming, leaving].map(({ eventId }) => wentTo(eventId, 'FC1')),
    },
    'a cancellation and an event that is ambiguous without it': {
      before: [accept('FC1', 'N1'), accept('FC2', 'N1'), record(waiting)],
      one: cancel('FC1'),
      another: record(coming),
      end: [waiting, coming].map(({ eventId }) => wentTo(eventId, 'FC2')),
    },
    'an event that says whose parcel a number is on, and one that waits for that': {
      before: [accept('FC1', 'N1'), accept('FC2', 'N1'), record(waiting)],
      one: record(naming),
      another: record(coming),
      end: [waiting, naming, coming].map(({ eventId }) => wentTo(eventId, 'FC2')),
    },
  };

  test.each(Object.entries(races))('%s: nothing is lost, doubled or left half done', async (_name, { before, one, another, end }) => {
    for (const [first, second] of [
      [one, another],
      [another, one],
    ] as const) {
      for (let operations = 0, paused = true; paused; operations += 1) {
        await opened.clear();
        const store = openStore(other);
        for (const step of before) await step(store);
        paused = await interleave(
          opened.database,
          (database) => first(openStore(database)),
          operations,
          () => second(store),
        );
        const is = await whereabouts(store, collectPublications(laterOutbox(opened.database, events, new ManualClock(NOW))));
        expect({ operations, is, ...(await store.resume(NOW + 1, 100)) }).toEqual({
          operations,
          is: end.toSorted(),
          resumed: 0,
          published: 0,
        });
      }
    }
  });
});

test('a report that goes on behind an acceptance which died does not hide what that left half done', async () => {
  for (let operations = 0, paused = true; paused; operations += 1) {
    for (let deathAfter = 0, died = true; died; deathAfter += 1) {
      await opened.clear();
      const store = openStore(other);
      paused = await interleave(
        opened.database,
        (database) => record(leaving)(openStore(database)),
        operations,
        async () => {
          died = await diesAfter(opened.database, deathAfter, (database) => accept('FC1', 'N1')(openStore(database)));
        },
      );
      await accept('FC1', 'N1')(store);
      await accept('FC2', 'N1')(store);
      await record(coming)(store);
      expect({
        operations,
        deathAfter,
        is: await whereabouts(store, collectPublications(laterOutbox(opened.database, events, new ManualClock(NOW)))),
      }).toEqual({
        operations,
        deathAfter,
        is: [wentTo(leaving.eventId, 'FC1'), wentTo(coming.eventId, 'FC2')].sort(),
      });
    }
  }
});
