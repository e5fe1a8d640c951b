import { afterEach, expect, test } from '@jest/globals';
import { numberOf, rowAgo, type SourceDriver, startSource } from '../../testing/source-driver.ts';

const HOUR = 3_600_000;

let driver: SourceDriver;
afterEach(() => driver.close());

/** Queries for so many parcels that the source knows, one after the other. @returns how many calls were made */
async function callsFor(count: number, from: number): Promise<number> {
  const before = driver.server.calls.length;
  for (let index = from; index < from + count; index += 1) {
    const number = numberOf('dhl', index);
    driver.server.addRows(number, rowAgo('in transit', 1));
    await driver.outcomeOf(number);
  }
  return driver.server.calls.length - before;
}

test('a connection calls as often in a day as its account may, and follows a change at once', async () => {
  const standard = { requestsPerSecond: null, callsPerDay: 6, fetchesPerParcelPerDay: null };
  driver = await startSource('dhl', { limits: standard, granted: { callsPerDay: 3 } });
  expect(await callsFor(5, 0)).toBe(3);
  driver.grant({ callsPerDay: 5 });
  expect(await callsFor(5, 10)).toBe(2);
  driver.grant({ callsPerDay: 2 });
  expect(await callsFor(5, 20)).toBe(0);
  driver.grant(null);
  expect(await callsFor(5, 30)).toBe(1);
  expect((await driver.ledgers.read(driver.connection.connectionId)).used).toBe(6);
});

test('a parcel is asked for as often as the account may', async () => {
  driver = await startSource('dhl', {
    limits: { requestsPerSecond: null, callsPerDay: null, fetchesPerParcelPerDay: 4 },
    granted: { fetchesPerParcelPerDay: 24 },
  });
  const number = numberOf('dhl');
  driver.server.addRows(number, rowAgo('in transit', 1));
  const day = async () => {
    const before = driver.server.calls.length;
    for (let hour = 0; hour < 24; hour += 1) {
      await driver.outcomeOf(number);
      driver.clock.advance(HOUR);
    }
    return driver.server.calls.length - before;
  };
  expect(await day()).toBe(24);
  driver.grant(null);
  driver.clock.advance(6 * HOUR);
  expect(await day()).toBe(4);
});

test('the rate of the account takes the place of that of its source', async () => {
  driver = await startSource('dhl', { granted: { requestsPerSecond: 0.1 } });
  expect(await callsFor(3, 0)).toBe(1);
  const { nextCallAt } = await driver.ledgers.read(driver.connection.connectionId);
  expect(nextCallAt).toBe(driver.clock.now() + 12_500);
});
