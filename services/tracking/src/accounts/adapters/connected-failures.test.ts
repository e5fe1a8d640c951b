import { afterEach, describe, expect, test } from '@jest/globals';
import type { ServerMood } from '@parcelway/harness/sources/source-server';
import { sourceServers } from '@parcelway/harness/sources/source-servers';
import { until } from '@parcelway/kernel/testing/until';
import { SourceRefusal } from '../../sources/source-refusal.ts';
import { numberOf, rowAgo, type SourceDriver, startSource } from '../../testing/source-driver.ts';

const MINUTE = 60_000;
const TIMEOUT_MS = 200;
const RESET_MS = 1500;
/** A registration and a query each have the deadline, and a machine may be slow. */
const WITHIN_MS = 2 * TIMEOUT_MS + 2000;

let driver: SourceDriver;

/** Starts a source with one parcel. @returns its number */
async function start(name: string, options: Parameters<typeof startSource>[1] = {}): Promise<string> {
  driver = await startSource(name, options);
  const number = numberOf(name);
  driver.server.addRows(number, rowAgo('in transit', 10));
  return number;
}
/** Calls that the vendor counts. */
const calls = (): number => driver.server.calls.filter(({ kind }) => kind !== 'token').length;

/** A source that responds in a certain way is out, within the deadline, and nothing comes of it. */
async function expectOut(name: string, mood: ServerMood): Promise<void> {
  const number = await start(name, { timeoutMs: TIMEOUT_MS });
  await driver.ask(number);
  driver.clock.advance(MINUTE);
  driver.server.setMood(mood);
  for (const asked of [number, numberOf(name, 2)]) {
    const begin = Date.now();
    await expect(driver.ask(asked)).rejects.toMatchObject({ code: '50001', retryAfterSeconds: expect.any(Number) });
    expect(Date.now() - begin).toBeLessThan(WITHIN_MS);
  }
  driver.server.setMood({ kind: 'well' });
  expect(await driver.outcomeOf(number)).toEqual(['In Transit']);
}

describe.each(Object.keys(sourceServers))('%s', (name) => {
  afterEach(() => driver.close());

  test.each([false, true])('is not called before Retry-After is over, by no process (registered: %p)', async (isRegistered) => {
    const number = await start(name);
    if (isRegistered) {
      await driver.ask(number);
      driver.clock.advance(MINUTE);
    }
    driver.server.setMood({ kind: 'status', status: 429, retryAfter: 90 });
    const until = driver.clock.now() + 90_000;
    await expect(driver.ask(number)).rejects.toMatchObject({ name: 'NotNow', until, maySkip: true });
    driver.server.setMood({ kind: 'well' });
    const before = calls();
    driver.clock.advance(89_000);
    for (const process of [0, 1]) await expect(driver.ask(number, { process })).rejects.toMatchObject({ name: 'NotNow', until });
    expect(calls()).toBe(before);
    driver.clock.advance(1000);
    expect(await driver.outcomeOf(number, { process: 1 })).toEqual(['In Transit']);
  });

  test('is not called while its quota is used up', async () => {
    const number = await start(name);
    driver.server.setMood({ kind: 'quota used up' });
    const refusal = (await driver.ask(number).catch((error: unknown) => error)) as { readonly name: string; readonly until: number };
    expect(refusal.name).toBe('NotNow');
    expect(refusal.until).toBeGreaterThan(driver.clock.now());
    driver.server.setMood({ kind: 'well' });
    const before = calls();
    for (let index = 0; index < 10; index += 1)
      expect(await driver.outcomeOf(numberOf(name, index), { process: index % 2 })).toBe('NotNow');
    expect(calls()).toBe(before);
    driver.clock.advance(refusal.until - driver.clock.now());
    expect(await driver.outcomeOf(number)).toEqual(['In Transit']);
  });
});

/** What all sources share: one that registers parcels in the call that asks for them, and one that registers them for its pushes. */
describe.each(['17track', 'ups'])('%s', (name) => {
  afterEach(() => driver.close());

  test('is left alone when it takes the key no longer, and asked again once it does', async () => {
    const number = await start(name, { resetMs: RESET_MS });
    driver.server.setMood({ kind: 'key revoked' });
    let asked = 0;
    for (; asked < 12; asked += 1) expect(await driver.outcomeOf(numberOf(name, asked + 100))).toBe('50001');
    const before = driver.server.calls.length;
    for (; asked < 20; asked += 1) expect(await driver.outcomeOf(numberOf(name, asked + 100))).toBe('50001');
    expect(driver.server.calls).toHaveLength(before);
    driver.server.setMood({ kind: 'well' });
    await until(async () => (await driver.outcomeOf(number)).toString() === 'In Transit', { what: 'the vendor to be asked again' });
  });

  test.each<[string, ServerMood]>([
    ['hangs', { kind: 'hangs' }],
    ['nests deeply', { kind: 'wrong', body: `${'['.repeat(20_000)}${']'.repeat(20_000)}` }],
    ['is slow', { kind: 'slow', ms: 1000 }],
    ['drops the connection', { kind: 'drops' }],
    ['fails', { kind: 'status', status: 503 }],
    ['has moved', { kind: 'status', status: 301 }],
  ])('is out when it %s, within the deadline, and nothing comes of it', async (_what, mood) => {
    await expectOut(name, mood);
  });
});

describe.each(['ups', 'yunexpress'])('%s, whose account has no pushes,', (name) => {
  test.each<[string, Error | 'hangs']>([
    ['refuses registrations', new SourceRefusal('access denied', 'The account has no pushes')],
    ['fails at registrations', new SourceRefusal('unavailable', 'The registrations are out')],
    ['hangs at registrations', 'hangs'],
  ])('%s: queries go on, and the registrations are left alone for a while', async (_what, outcome) => {
    let registrations = 0;
    const driver = await startSource(name, {
      timeoutMs: outcome === 'hangs' ? 300 : 5000,
      change: (client) => ({
        ...client,
        register() {
          registrations += 1;
          return outcome === 'hangs' ? new Promise(() => undefined) : Promise.reject(outcome);
        },
      }),
    });
    try {
      for (let index = 0; index < 15; index += 1) {
        const number = numberOf(name, index);
        driver.server.addRows(number, rowAgo('in transit', 10));
        expect(await driver.outcomeOf(number)).toEqual(['In Transit']);
      }
      expect(registrations).toBe(5);
    } finally {
      await driver.close();
    }
  });
});
