import { expect, test } from '@jest/globals';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { MongoServerTime } from './mongo-server-time.ts';

const HOUR_MS = 3_600_000;

/** A database whose clock is ahead by so much. */
function databaseAhead(ms: number): { readonly database: MongoDatabase; readonly asked: () => number } {
  let asked = 0;
  const command = async () => {
    asked += 1;
    return { localTime: new Date(Date.now() + ms) };
  };
  const database = { run: (work: () => Promise<unknown>) => work(), connection: { db: { command } } };
  return { database: database as unknown as MongoDatabase, asked: () => asked };
}

test('goes by the clock of the server, and asks it once for many', async () => {
  const { database, asked } = databaseAhead(HOUR_MS);
  const time = new MongoServerTime(database);
  for (let count = 0; count < 100; count += 1) {
    const before = Date.now() + HOUR_MS;
    const told = await time.now();
    // A millisecond of rounding on either side, and some for the round trip.
    expect(told).toBeGreaterThanOrEqual(before - 50);
    expect(told).toBeLessThanOrEqual(Date.now() + HOUR_MS + 50);
  }
  expect(asked()).toBe(1);
});

test('says that the store is out when it is not connected', async () => {
  const database = { run: (work: () => Promise<unknown>) => work(), connection: { db: undefined } } as unknown as MongoDatabase;
  await expect(new MongoServerTime(database).now()).rejects.toMatchObject({ code: '50301' });
});
