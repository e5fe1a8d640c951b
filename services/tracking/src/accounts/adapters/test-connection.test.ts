import { beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { type RefusalReason, SourceRefusal } from '../../sources/source-refusal.ts';
import { recordingLogger } from '../../testing/connection-world.ts';
import { connectionOf } from '../../testing/samples.ts';
import type { OpenSources } from '../../watch/adapters/ask-sources.ts';
import { NotNow } from '../../watch/domain/sources.ts';
import type { Connection } from '../domain/connection.ts';
import { createConnectionTester } from './test-connection.ts';

const NOW = Date.UTC(2026, 10, 26, 8);
const tenants = connectionOf({
  connectionId: 'con_an-id-that-may-be-a-secret',
  tenantId: 'tnt_a',
  source: 'easypost',
  credentials: { key: 'k' },
});
const operators: Connection = { ...tenants, tenantId: null };
const notFound = new SourceRefusal('unavailable', 'The call failed', {
  cause: Object.assign(new Error('getaddrinfo ENOTFOUND vendor.example'), { code: 'ENOTFOUND' }),
});

let log: string[];
beforeEach(() => {
  log = [];
});

/** Tests a connection to a vendor that ends each test with an error, or accepts the credentials. */
function tester(error?: unknown) {
  const connected = { test: () => (error === undefined ? Promise.resolve() : Promise.reject(error)) };
  const sources = { of: () => connected } as unknown as Pick<OpenSources, 'of'>;
  return (connection: Connection) => {
    const connections = { get: async () => ({ connection, createdAt: null, updatedAt: null }) };
    return createConnectionTester(connections, sources, new ManualClock(NOW), recordingLogger(log))(null, connection.connectionId);
  };
}

describe('a test of a connection', () => {
  test.each<[RefusalReason, number | undefined, string, RegExp]>([
    ['access denied', 401, 'access_denied', /refuses the credentials \(status 401\)/],
    ['access denied', undefined, 'access_denied', /refuses the credentials\. /],
    ['throttled', 429, 'unavailable', /no more calls of this account at the moment \(status 429\)/],
    ['quota used up', 402, 'unavailable', /used up \(status 402\)/],
    ['wrong response', undefined, 'unavailable', /not the documented one/],
    ['wrong response', 200, 'unavailable', /not the documented one/],
    ['wrong response', 404, 'unavailable', /the status 404/],
    ['unavailable', 503, 'unavailable', /the status 503/],
    ['unavailable', undefined, 'unavailable', /fails, or does not respond/],
  ])('that is refused: %s with the status %p', async (reason, status, result, message) => {
    for (const connection of [tenants, operators]) {
      const outcome = await tester(new SourceRefusal(reason, 'inner', { status }))(connection);
      expect(outcome).toEqual({ result, message: expect.stringMatching(message) });
      expect(outcome.message).not.toContain('inner');
    }
    expect(log).toHaveLength(2);
    expect(JSON.parse(log[0] ?? '')).toMatchObject([
      { connection_id: 'con_an-id-…', source: 'easypost', result },
      'inner',
      'A test of a connection failed',
    ]);
  });

  test('names nothing of the network but in the log', async () => {
    const fails = tester(notFound);
    expect((await fails(operators)).message).toBe(
      'The source fails, or does not respond in time. Test again in a minute; the log of the tracking service has the details',
    );
    expect((await fails(tenants)).message).toBe('The source fails, or does not respond in time. Test again in a minute');
    expect(log[0]).toContain('"The call failed"');
  });

  test('shows that credentials are accepted, and asks for all of them when they cannot be read any more', async () => {
    expect(await tester()(operators)).toMatchObject({ result: 'works' });
    const unreadable = { result: 'access_denied', message: expect.stringContaining('Send all of them again') };
    expect(await tester()({ ...operators, credentials: {} })).toEqual(unreadable);
  });

  test('passes on what is no response of the vendor', async () => {
    await expect(tester(AppError.unavailable('The store is out'))(operators)).rejects.toMatchObject({ code: '50301' });
  });

  test('that our own limits forbid says until when, and is no failure', async () => {
    const refusal = new SourceRefusal('throttled', 'inner', { cause: new NotNow(NOW + 90_000, 'blocked') });
    expect(await tester(refusal)(operators)).toEqual({ result: 'unavailable', message: expect.stringContaining('in 90 seconds') });
    expect(log).toEqual([]);
  });
});
