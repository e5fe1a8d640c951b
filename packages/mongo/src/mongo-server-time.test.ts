import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { MongoDatabase } from './mongo-database.ts';
import { MongoServerTime } from './mongo-server-time.ts';

const HOUR_MS = 3_600_000;
/** Of both clocks of this process. Only responses of the server take time. */
let here = 1_700_000_000_000;

beforeEach(() => {
  jest.spyOn(Date, 'now').mockImplementation(() => here);
  jest.spyOn(performance, 'now').mockImplementation(() => here - 1_600_000_000_000);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** A database whose clock is ahead by an hour. @param delays how long each response takes on its way back; none after the last */
function databaseAhead(delays: readonly number[] = []): { readonly database: MongoDatabase; readonly asked: () => number } {
  let asked = 0;
  const command = async () => {
    asked += 1;
    const localTime = new Date(here + HOUR_MS);
    here += delays[asked - 1] ?? 0;
    return { localTime };
  };
  const database = { run: (work: () => Promise<unknown>) => work(), connection: { db: { command } } };
  return { database: database as unknown as MongoDatabase, asked: () => asked };
}

/** Asks for the time, which must be that of the server. */
async function expectServerTime(time: MongoServerTime): Promise<void> {
  expect(await time.now()).toBe(here + HOUR_MS);
}

test('goes by the clock of the server, and asks it once for many', async () => {
  const { database, asked } = databaseAhead();
  const time = new MongoServerTime(database);
  await Promise.all(Array.from({ length: 10 }, () => expectServerTime(time)));
  for (let count = 0; count < 100; count += 1) {
    here += 10;
    await expectServerTime(time);
  }
  expect(asked()).toBe(1);
});

test('does not trust a response that was in flight for long', async () => {
  const { database, asked } = databaseAhead([300]);
  await expectServerTime(new MongoServerTime(database));
  expect(asked()).toBe(2);
});

test('says that the store is out when it is not connected, or only ever slow', async () => {
  const unconnected = { run: (work: () => Promise<unknown>) => work(), connection: { db: undefined } } as unknown as MongoDatabase;
  await expect(new MongoServerTime(unconnected).now()).rejects.toMatchObject({ code: '50301' });
  const { database } = databaseAhead(Array(5).fill(1100));
  const time = new MongoServerTime(database);
  await expect(time.now()).rejects.toMatchObject({ code: '50301' });
  // The next call asks again.
  await expectServerTime(time);
});
