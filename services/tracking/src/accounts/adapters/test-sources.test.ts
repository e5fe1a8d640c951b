import { afterEach, expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { recordingTelemetry } from '@parcelway/telemetry/testing/recording-telemetry';
import { trackingSources } from '../../sources/source-list.ts';
import { numberOf, rowAgo, type SourceDriver, type SourceDriverOptions, startSource } from '../../testing/source-driver.ts';
import type { TestConnection } from '../manage-connections.ts';
import { ConnectedSource } from './connected-source.ts';
import { createConnectionTester } from './test-connection.ts';

/** Longer than any source's gap between two calls. */
const GAP_MS = 10_000;

let driver: SourceDriver;
let connected: ConnectedSource;
let tester: TestConnection;
/** With the limits of the source. */
const start = async (name: string, options: SourceDriverOptions = {}): Promise<void> => {
  driver = await startSource(name, { limits: trackingSources.get(name)?.limits ?? {}, ...options });
  const { source, connection, ledgers, clock } = driver;
  const telemetry = recordingTelemetry().of('tracking');
  const shared = { detailsOf: () => ({}), noteUnknown: () => undefined, timeoutMs: 5000, logger: silentLogger, telemetry };
  connected = new ConnectedSource(source, connection, { ...shared, ledgers, clock });
  tester = createConnectionTester({ of: () => connected }, clock, silentLogger);
};
const result = async (): Promise<string> => (await tester(driver.connection)).result;
/** Calls that the ledger has counted, and those that the vendor got. */
const calls = async (): Promise<readonly number[]> => {
  const { used } = await driver.ledgers.read(driver.connection.connectionId);
  return [used, driver.server.calls.length];
};

afterEach(async () => {
  await connected.close();
  await driver.close();
});

test('a test of a connection is one call for the vendor and in the ledger, each time', async () => {
  await start('17track');
  for (let made = 1; made <= 3; made += 1) {
    expect(await result()).toBe('works');
    expect(await calls()).toEqual([made, made]);
    driver.clock.advance(GAP_MS);
  }
});

test('a push is expected to bring what a poll finds, where the source has pushed and the parcel was reported before', async () => {
  await start('easypost');
  const { clock, server } = driver;
  const number = numberOf('easypost');
  server.addRows(number, rowAgo('in transit', 1));
  const isExpected = async (purpose: 'query' | 'poll', askedAt: number): Promise<boolean> => {
    const shipment = { ...driver.shipment(number), askedAt, reportedAt: askedAt };
    const done = async (): Promise<void> => undefined;
    const report = await connected.ask(shipment, { purpose, note: async () => true, noteRefused: done, keep: done });
    clock.advance(GAP_MS);
    return 'onNews' in report && report.onNews !== undefined;
  };
  const before = clock.now() - 3 * 86_400_000;
  expect(await isExpected('poll', before)).toBe(false);
  await connected.notePush();
  expect([await isExpected('poll', before), await isExpected('poll', 0), await isExpected('query', before)]).toEqual([true, false, false]);
});

test('what a vendor says of a number that it rejects has no credential', async () => {
  const register = async () => [{ kind: 'rejected', reason: `${driver.connection.credentials['key']} may not register it` }] as const;
  await start('17track', { declared: { register } });
  const done = async (): Promise<void> => undefined;
  const asked = { purpose: 'poll', note: async () => true, noteRefused: done, keep: done } as const;
  const report = await connected.ask(driver.shipment(numberOf('17track')), asked);
  expect(report).toEqual({ rejected: '… may not register it' });
});

test('a test is made at most once a second', async () => {
  await start('17track');
  const outcomes = await Promise.all([result(), result(), result(), result()]);
  const made = outcomes.filter((outcome) => outcome === 'works').length;
  // Some may wait for their turn.
  expect(made).toBeGreaterThan(0);
  expect(made).toBeLessThan(4);
  expect(await calls()).toEqual([made, made]);
});
