// "Quota used up" at a registration, where registrations alone take of the quota.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { numberOf, rowAgo, type SourceDriver, startSource } from '../../testing/source-driver.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;

describe('17track, whose quota is used up,', () => {
  const [registered, next] = [numberOf('17track', 1), numberOf('17track', 2)];
  let driver: SourceDriver;

  beforeEach(async () => {
    driver = await startSource('17track');
    for (const number of [registered, next]) driver.server.addRows(number, rowAgo('in transit', 10));
    await driver.ask(registered);
    driver.clock.advance(MINUTE);
    driver.server.setMood({ kind: 'quota used up' });
  });
  afterEach(() => driver.close());

  const callsOf = (kind: 'register' | 'query'): number => driver.server.calls.filter((call) => call.kind === kind).length;

  test('is asked for parcels that are registered, by every process, for queries and polls', async () => {
    await expect(driver.ask(next)).rejects.toMatchObject({ name: 'NotNow', reason: 'quota used up', until: driver.clock.now() + HOUR });
    const before = callsOf('query');
    for (const purpose of ['query', 'poll'] as const) {
      for (const process of [0, 1]) {
        expect(await driver.outcomeOf(registered, { purpose, process })).toEqual(['In Transit']);
        driver.clock.advance(MINUTE);
      }
    }
    expect(callsOf('query')).toBe(before + 4);
  });

  test('is asked for no registration by any process, until an hour is over: then one call tries again', async () => {
    await expect(driver.ask(next)).rejects.toMatchObject({ name: 'NotNow' });
    const until = driver.clock.now() + HOUR;
    const before = callsOf('register');
    for (let index = 3; index < 13; index += 1) {
      await expect(driver.ask(numberOf('17track', index), { process: index % 2 })).rejects.toMatchObject({
        name: 'NotNow',
        reason: 'blocked',
        until,
        maySkip: true,
      });
    }
    expect(callsOf('register')).toBe(before);
    driver.clock.advance(HOUR);
    expect(await driver.outcomeOf(next, { process: 1 })).toBe('NotNow');
    expect(await driver.outcomeOf(next)).toBe('NotNow');
    expect(callsOf('register')).toBe(before + 1);
    driver.server.setMood({ kind: 'well' });
    driver.clock.advance(HOUR);
    expect(await driver.outcomeOf(next)).toEqual(['In Transit']);
  });

  test('a number that has lost its registration waits for the quota, and others do not wait for it', async () => {
    driver.server.setMood({ kind: 'well' });
    await driver.ask(next);
    driver.clock.advance(MINUTE);
    await forget(driver, next);
    driver.server.setMood({ kind: 'quota used up' });
    expect(await driver.outcomeOf(next)).toBe('NotNow');
    expect(await driver.outcomeOf(registered)).toEqual(['In Transit']);
  });

  test('too many registrations still stop every call: the rate is one for all', async () => {
    driver.server.setMood({ kind: 'status', status: 429, retryAfter: 90 });
    expect(await driver.outcomeOf(next)).toBe('NotNow');
    driver.server.setMood({ kind: 'well' });
    const before = driver.server.calls.length;
    expect(await driver.outcomeOf(registered)).toBe('NotNow');
    expect(driver.server.calls).toHaveLength(before);
  });
});

/** Takes a registration away, as somebody does in the vendor's console. */
async function forget({ server, connection }: SourceDriver, number: string): Promise<void> {
  const response = await fetch(`${server.baseUrl}/deletetrack`, {
    method: 'POST',
    headers: { '17token': connection.credentials['key'] ?? '' },
    body: JSON.stringify([{ number }]),
  });
  expect(response.status).toBe(200);
}
