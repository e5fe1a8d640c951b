import { afterEach, describe, expect, test } from '@jest/globals';
import { sourceServers } from '@parcelway/harness/sources/source-servers';
import { until } from '@parcelway/kernel/testing/until';
import { trackingSources } from '../../sources/source-list.ts';
import { numberOf, rowAgo, type SourceDriver, startSource } from '../../testing/source-driver.ts';

const HOUR = 3_600_000;
const DAY = 86_400_000;

let driver: SourceDriver;
afterEach(() => driver.close());

const beyond = () => driver.server.calls.filter(({ isBeyondLimit }) => isBeyondLimit === true);
const counted = () => driver.server.calls.filter(({ kind }) => kind !== 'token');

/** Asks for many parcels at the same time, by two processes, for queries and polls. */
async function askMany(count: number): Promise<readonly (readonly string[] | string)[]> {
  const numbers = Array.from({ length: count }, (_, index) => numberOf(driver.source.name, index));
  for (const number of numbers) driver.server.addRows(number, rowAgo('in transit', 1));
  return Promise.all(
    numbers.map((number, index) =>
      driver.outcomeOf(number, { tenantId: `tnt_${index % 7}`, process: index % 2, purpose: index % 3 === 0 ? 'query' : 'poll' }),
    ),
  );
}

/** One with a rate, of which a call is about many parcels, and one without a rate: the pace of calls is kept by code that all sources share. */
describe.each(['17track', 'ups'])('%s', (name) => {
  test('is never called more often than its limits allow, however many parcels two processes ask for', async () => {
    const { limits } = trackingSources.get(name) ?? {};
    driver = await startSource(name, { ...(limits && { limits }), isReal: true });
    // Both processes are connected: what is measured is the pace of the calls, not of the first connection.
    for (const process of [0, 1]) await driver.outcomeOf(numberOf(name, 1000 + process), { process });
    const { at = 0 } = driver.server.calls.at(-1) ?? {};
    await until(() => Date.now() - at > 1000 / Math.min(1, limits?.requestsPerSecond ?? 1), { what: 'calls that no longer count' });
    driver.server.setLimits({});
    // Enough for calls of more than a second, and each parcel may need two of them.
    const outcomes = await askMany(limits?.numbersPerRegistration === 1 ? 12 : 60);
    expect(beyond()).toEqual([]);
    // Whoever has no result knows when to come back; of some vendors, the first response is empty.
    const allowed = limits?.requestsPerSecond === null ? ['In Transit'] : ['In Transit', 'NotNow', ''];
    expect(outcomes.map(String).filter((outcome) => !allowed.includes(outcome))).toEqual([]);
    expect(outcomes.map(String)).toContain('In Transit');
    expect(counted().length).toBeGreaterThan(0);
  });
});

describe.each(Object.keys(sourceServers))('%s', (name) => {
  test('is called no more often than a day allows, and again the next day', async () => {
    const callsPerDay = 8;
    driver = await startSource(name, { limits: { requestsPerSecond: null, callsPerDay, fetchesPerParcelPerDay: null } });
    // Late in the day, when the background may make all its calls.
    driver.clock.advance(DAY - (driver.clock.now() % DAY) - 1000);
    await askMany(60);
    const used = counted().length;
    expect(used).toBeLessThanOrEqual(callsPerDay);
    expect(used).toBeGreaterThan(0);
    for (let index = 100; index < 120; index += 1) await driver.outcomeOf(numberOf(name, index), { process: index % 2 });
    expect(counted().length).toBe(callsPerDay);
    await expect(driver.ask(numberOf(name, 130))).rejects.toMatchObject({
      name: 'NotNow',
      until: Math.ceil(driver.clock.now() / DAY) * DAY,
    });
    driver.clock.advance(1000);
    driver.server.addRows(numberOf(name, 131), rowAgo('in transit', 1));
    expect(await driver.outcomeOf(numberOf(name, 131))).toEqual(['In Transit']);
  });

  test('is asked for one parcel as often as its limit allows, evenly over the day', async () => {
    driver = await startSource(name, { limits: { requestsPerSecond: null, callsPerDay: null, fetchesPerParcelPerDay: 6 } });
    const number = numberOf(name);
    driver.server.addRows(number, rowAgo('in transit', 1));
    for (let hour = 0; hour < 24; hour += 1) {
      await driver.outcomeOf(number, { purpose: hour % 2 === 0 ? 'query' : 'poll' });
      driver.clock.advance(HOUR);
    }
    expect(driver.server.calls.filter(({ kind }) => kind === 'query')).toHaveLength(6);
  });
});
