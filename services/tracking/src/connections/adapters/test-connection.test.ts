import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { NotNow } from '../../domain/not-now.ts';
import type { OpenSources } from '../../sources/ask-sources.ts';
import { type RefusalReason, SourceRefusal } from '../../sources/source-refusal.ts';
import type { Connection } from '../domain/connection.ts';
import { createConnectionTester } from './test-connection.ts';

const NOW = Date.UTC(2026, 10, 26, 8);
const connection: Connection = {
  connectionId: 'c',
  tenantId: 'tnt_a',
  source: 'easypost',
  baseUrl: null,
  carriers: ['*'],
  limits: null,
  credentials: {},
};

/** Tests a connection to a vendor that ends each test with an error, or accepts the credentials. */
function tester(error?: unknown) {
  const connected = { test: () => (error === undefined ? Promise.resolve() : Promise.reject(error)) };
  const sources = { of: () => connected } as unknown as Pick<OpenSources, 'of'>;
  return createConnectionTester(sources, new ManualClock(NOW));
}

describe('a test of a connection', () => {
  test('works', async () => {
    expect(await tester()(connection)).toMatchObject({ result: 'works' });
  });

  test.each<[RefusalReason, string, RegExp]>([
    ['access denied', 'access_denied', /refuses the credentials/],
    ['throttled', 'unavailable', /no more calls/],
    ['quota used up', 'unavailable', /used up/],
    ['wrong response', 'unavailable', /not the documented one/],
    ['unavailable', 'unavailable', /fails, or does not respond/],
  ])('that is refused: %s', async (reason, result, message) => {
    const outcome = await tester(new SourceRefusal(reason, 'inner'))(connection);
    expect(outcome).toEqual({ result, message: expect.stringMatching(message) });
    expect(outcome.message).not.toContain('inner');
  });

  test('that cannot be made is unavailable', async () => {
    expect(await tester(new AppError('50001'))(connection)).toMatchObject({ result: 'unavailable' });
  });

  test('passes on what is no response of the vendor', async () => {
    await expect(tester(AppError.unavailable('The store is out'))(connection)).rejects.toMatchObject({ code: '50301' });
  });

  test('that our own limits forbid says until when', async () => {
    const refusal = new SourceRefusal('throttled', 'inner', { cause: new NotNow(NOW + 90_000, 'blocked') });
    expect(await tester(refusal)(connection)).toEqual({ result: 'unavailable', message: expect.stringContaining('in 90 seconds') });
  });
});
