import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { Agent } from 'undici';
import { connectSource } from '../../sources/source-http.ts';
import { trackingSources } from '../../sources/source-list.ts';
import { SourceRefusal } from '../../sources/source-refusal.ts';
import { askedParcel } from '../../testing/mock-vendor.ts';
import { numberOf, rowAgo, type SourceDriver, type SourceDriverOptions, startSource } from '../../testing/source-driver.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let driver: SourceDriver;
afterEach(() => driver.close());

/** Starts a source that knows one parcel. @returns its number */
async function start(name: string, options: Parameters<typeof startSource>[1] = {}): Promise<string> {
  driver = await startSource(name, options);
  const number = numberOf(name);
  driver.server.addRows(number, rowAgo('in transit', 10));
  return number;
}
const queries = () => driver.server.calls.filter(({ kind }) => kind === 'query');
/** Calls of the vendor; registrations of DHL make none. */
const counted = () => driver.server.calls;

/** Removes a registration, as another user of the vendor's account may. */
async function unregister(number: string): Promise<void> {
  const { source, server, connection } = driver;
  const { reference = null } = (await driver.shipment(number)).registration ?? {};
  const dispatcher = new Agent();
  const options = { baseUrl: server.baseUrl, credentials: connection.credentials, dispatcher, nextCall: async () => undefined };
  const run = connectSource(source, options)(AbortSignal.timeout(5000));
  await source.unregister?.(run, askedParcel(number, { reference }));
  await dispatcher.close();
}

/** What depends on the numbers in a call, and on what parcels are registered for. */
describe.each<[string, SourceDriverOptions['declared']]>([
  ['17track', {}],
  ['dhl', {}],
  ['dhl', { registersFor: 'pushes', registrationLastsMs: 14 * DAY }],
])('%s %j', (name, declared) => {
  test('registers a parcel once and only once, whichever process asks', async () => {
    const number = await start(name, { declared });
    for (let day = 0; day < 4; day += 1) {
      expect(await driver.outcomeOf(number, { process: day % 2 })).toEqual(['In Transit']);
      driver.clock.advance(DAY);
    }
    expect(driver.registered).toEqual(driver.source.registersFor === null ? [] : [number]);
    expect(queries().flatMap(({ numbers }) => numbers)).toEqual([number, number, number, number]);
  });

  test('registers a parcel again when queries need a lost registration, and when a registration expires', async () => {
    const number = await start(name, { declared });
    const { registersFor, registrationLastsMs } = driver.source;
    await driver.ask(number);
    await unregister(number);
    driver.clock.advance(MINUTE);
    expect(await driver.outcomeOf(number)).toEqual(['In Transit']);
    const registered = registersFor === null ? 0 : registersFor === 'queries' ? 2 : 1;
    expect(driver.registered).toHaveLength(registered);
    driver.clock.advance(registrationLastsMs ?? 100 * DAY);
    await driver.ask(number);
    expect(driver.registered).toHaveLength(registered + (registrationLastsMs === undefined ? 0 : 1));
  });

  test('gets as many numbers in a call as it takes, across tenants', async () => {
    await start(name, { declared });
    const asked = Array.from({ length: 30 }, (_, index) => ({ number: numberOf(name, index), tenantId: `tnt_${index % 10}` }));
    for (const one of asked) driver.server.addRows(one.number, rowAgo('in transit', 1));
    const askAll = () => Promise.all(asked.map((one) => driver.outcomeOf(one.number, one)));
    await askAll();
    driver.clock.advance(MINUTE);
    const before = counted().length;
    await askAll();
    const calls = counted().slice(before);
    expect(calls).toHaveLength(Math.ceil(asked.length / driver.source.limits.numbersPerQuery));
    expect(calls.flatMap(({ numbers }) => numbers).sort()).toEqual(asked.map((one) => one.number).sort());
  });
});

/** Rules of every vendor: 17TRACK registers parcels for queries, DHL registers none. */
describe.each(['17track', 'dhl'])('%s', (name) => {
  test('that rejects a number leaves it to other sources, and is asked again after an hour', async () => {
    const number = await start(name);
    driver.server.refuse(number);
    const error = { name: 'NotNow', maySkip: false, until: driver.clock.now() + HOUR, reason: 'no source takes the number' };
    await expect(driver.ask(number)).rejects.toMatchObject(error);
  });

  test('is asked for a parcel as often as its limit allows, evenly over the day, and once a minute without one', async () => {
    const number = await start(name, { limits: { requestsPerSecond: null, callsPerDay: null, fetchesPerParcelPerDay: 6 } });
    for (let hour = 0; hour < 24; hour += 1) {
      await driver.outcomeOf(number, { purpose: hour % 2 === 0 ? 'query' : 'poll' });
      driver.clock.advance(HOUR);
    }
    expect(queries()).toHaveLength(6);
    await driver.close();
    const other = await start(name);
    await driver.ask(other);
    driver.clock.advance(MINUTE - 1);
    expect(await driver.outcomeOf(other)).toBe('NotNow');
    expect(queries()).toHaveLength(1);
  });

  test('is called by no process before Retry-After is over', async () => {
    const number = await start(name);
    await driver.ask(number);
    driver.clock.advance(MINUTE);
    driver.server.setMood({ kind: 'status', status: 429, retryAfter: 90 });
    const until = driver.clock.now() + 90_000;
    await expect(driver.ask(number)).rejects.toMatchObject({ name: 'NotNow', until, maySkip: true });
    driver.server.setMood({ kind: 'well' });
    const before = counted().length;
    driver.clock.advance(89_000);
    for (const asked of [number, numberOf(name, 2)])
      for (const process of [0, 1]) await expect(driver.ask(asked, { process })).rejects.toMatchObject({ name: 'NotNow', until });
    expect(counted()).toHaveLength(before);
    driver.clock.advance(1000);
    expect(await driver.outcomeOf(number, { process: 1 })).toEqual(['In Transit']);
  });
});

describe.each<[string, Error | 'hangs']>([
  ['refuses registrations', new SourceRefusal('access denied', 'The account has no pushes')],
  ['fails at registrations', new SourceRefusal('unavailable', 'The registrations are out')],
  ['hangs at registrations', 'hangs'],
])('an account without pushes that %s', (_what, outcome) => {
  test('is queried all the same, and its registrations are left alone for a while', async () => {
    const register = (): Promise<never> => (outcome === 'hangs' ? new Promise(() => undefined) : Promise.reject(outcome));
    const timeoutMs = outcome === 'hangs' ? 300 : 5000;
    await start('dhl', { declared: { registersFor: 'pushes', register }, timeoutMs });
    for (let index = 0; index < 15; index += 1) {
      const number = numberOf('dhl', index);
      driver.server.addRows(number, rowAgo('in transit', 10));
      expect(await driver.outcomeOf(number)).toContain('In Transit');
    }
    expect(driver.registered).toHaveLength(5);
  });
});

test('a number that the source does not take is rejected without a call', async () => {
  await start('17track');
  await expect(driver.ask('A/B')).rejects.toMatchObject({ reason: 'no source takes the number' });
  expect(driver.server.calls).toEqual([]);
});

test('a call that waits for its turn is not made when another one is refused meanwhile', async () => {
  const { limits } = trackingSources.get('17track') ?? {};
  // Each call is of one parcel, so several wait. Their turns come later than a refusal does on a busy machine.
  driver = await startSource('17track', { limits: { ...limits, numbersPerRegistration: 1, requestsPerSecond: 0.5 }, isReal: true });
  driver.server.setMood({ kind: 'status', status: 429, retryAfter: 60 });
  const numbers = Array.from({ length: 4 }, (_, index) => numberOf('17track', index));
  const outcomes = Promise.all(numbers.map((number, index) => driver.outcomeOf(number, { process: index % 2 })));
  await until(() => driver.server.calls[0], { what: 'the first call' });
  driver.server.setMood({ kind: 'well' });
  expect(await outcomes).toEqual(['NotNow', 'NotNow', 'NotNow', 'NotNow']);
  expect(driver.server.calls).toHaveLength(1);
});

test('a connection calls as often in a day as its account may, and follows a change at once', async () => {
  await start('dhl', { limits: { requestsPerSecond: null, callsPerDay: 6, fetchesPerParcelPerDay: null }, granted: { calls_per_day: 3 } });
  const callsFor = async (from: number): Promise<number> => {
    const before = driver.server.calls.length;
    for (let index = from; index < from + 5; index += 1) await driver.outcomeOf(numberOf('dhl', index));
    return driver.server.calls.length - before;
  };
  expect(await callsFor(0)).toBe(3);
  driver.grant({ calls_per_day: 5 });
  expect(await callsFor(10)).toBe(2);
  driver.grant({ calls_per_day: 2 });
  expect(await callsFor(20)).toBe(0);
  driver.grant(null);
  expect(await callsFor(30)).toBe(1);
});

describe('17track, whose quota of registrations is used up,', () => {
  test('is queried for registered parcels, while no process registers another for an hour', async () => {
    const registered = await start('17track');
    const next = numberOf('17track', 2);
    driver.server.addRows(next, rowAgo('in transit', 10));
    await driver.ask(registered);
    driver.clock.advance(MINUTE);
    driver.server.setMood({ kind: 'quota used up' });
    const until = driver.clock.now() + HOUR;
    await expect(driver.ask(next)).rejects.toMatchObject({ name: 'NotNow', reason: 'quota used up', until });
    const before = driver.registered.length;
    for (let index = 3; index < 13; index += 1) {
      const refused = { name: 'NotNow', reason: 'blocked', until, maySkip: true };
      await expect(driver.ask(numberOf('17track', index), { process: index % 2 })).rejects.toMatchObject(refused);
    }
    expect(driver.registered).toHaveLength(before);
    for (const process of [0, 1]) {
      expect(await driver.outcomeOf(registered, { process })).toEqual(['In Transit']);
      driver.clock.advance(MINUTE);
    }
    driver.server.setMood({ kind: 'well' });
    driver.clock.advance(HOUR);
    expect(await driver.outcomeOf(next, { process: 1 })).toEqual(['In Transit']);
  });
});

describe('a test of a connection', () => {
  /** Calls that the ledger has counted, and those that the vendor got. */
  const calls = async (): Promise<readonly number[]> => {
    const { used } = await driver.ledgers.read(driver.connection.connectionId);
    return [used, driver.server.calls.length];
  };

  test('is one call for the vendor and in the ledger, each time', async () => {
    driver = await startSource('17track', { limits: {} });
    for (let made = 1; made <= 3; made += 1) {
      await driver.connected().test();
      expect(await calls()).toEqual([made, made]);
      driver.clock.advance(MINUTE);
    }
  });

  test('is made at most once a second', async () => {
    driver = await startSource('17track', { limits: {} });
    const tests = await Promise.allSettled(Array.from({ length: 4 }, () => driver.connected().test()));
    const made = tests.filter(({ status }) => status === 'fulfilled').length;
    // Some may wait for their turn.
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(4);
    expect(await calls()).toEqual([made, made]);
  });
});

test('a push is expected to bring what a poll finds, where the source has pushed and the parcel was reported before', async () => {
  const number = await start('17track');
  const isExpected = async (purpose: 'query' | 'poll', askedAt: number): Promise<boolean> => {
    const shipment = { ...(await driver.shipment(number)), askedAt, reportedAt: askedAt };
    const report = await driver.connected().ask(shipment, { purpose });
    driver.clock.advance(MINUTE);
    return report.onNews !== undefined;
  };
  const before = driver.clock.now() - 3 * DAY;
  expect(await isExpected('poll', before)).toBe(false);
  await driver.connected().notePush();
  expect([await isExpected('poll', before), await isExpected('poll', 0), await isExpected('query', before)]).toEqual([true, false, false]);
});

test('what a vendor says of a number that it rejects has no credential', async () => {
  const register = async () => [{ kind: 'rejected', reason: `${driver.connection.credentials['key']} may not register it` }] as const;
  const number = await start('17track', { declared: { register } });
  const asked = driver.connected().ask(await driver.shipment(number), { purpose: 'poll' });
  await expect(asked).rejects.toThrow(/^… may not register it$/);
});

test('a call with fewer results than parcels fails for them all, as nobody knows whose they are', async () => {
  await start('17track', { declared: { query: async () => [{ kind: 'no news' }] } });
  const outcomes = [1, 2].map((index) => driver.ask(numberOf('17track', index)));
  for (const outcome of outcomes) await expect(outcome).rejects.toThrow('The call has 1 results for 2 parcels');
});
