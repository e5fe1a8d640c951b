import { beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { NotNow } from '../../domain/not-now.ts';
import type { OpenSources } from '../../sources/ask-sources.ts';
import { trackingSources } from '../../sources/source-list.ts';
import { type RefusalReason, SourceRefusal } from '../../sources/source-refusal.ts';
import { blockCalls, type CallLedger, EMPTY_LEDGER } from '../domain/call-ledger.ts';
import type { Connection } from '../domain/connection.ts';
import type { CallLedgers } from '../ports.ts';
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

let ledger: CallLedger;
let calls: number;
beforeEach(() => {
  ledger = EMPTY_LEDGER;
  calls = 0;
});

const ledgers: CallLedgers = {
  async take(_id, decide) {
    const { ledger: next, verdict } = decide(ledger);
    ledger = next;
    return verdict;
  },
  async change(_id, change) {
    ledger = change(ledger);
  },
  read: async () => ledger,
};

/** Tests a connection to a vendor that ends each test with an error, or accepts the credentials. */
function tester(error?: unknown) {
  const connected = {
    source: trackingSources.get('easypost'),
    async test() {
      calls += 1;
      if (error !== undefined) throw error;
    },
  };
  const sources = { of: () => connected } as unknown as Pick<OpenSources, 'of'>;
  return createConnectionTester(sources, ledgers, new ManualClock(NOW));
}

describe('a test of a connection', () => {
  test('works', async () => {
    expect(await tester()(connection)).toMatchObject({ result: 'works' });
    expect([calls, ledger.used]).toEqual([1, 1]);
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

  test.each([new AppError('50001'), new NotNow(NOW + 1, 'later')])('that cannot be made is unavailable: %s', async (error) => {
    expect(await tester(error)(connection)).toMatchObject({ result: 'unavailable' });
  });

  test('passes on what is no response of the vendor', async () => {
    await expect(tester(AppError.unavailable('The store is out'))(connection)).rejects.toMatchObject({ code: '50301' });
  });

  test('calls nobody while the limits of the connection forbid it, and says until when', async () => {
    ledger = blockCalls(ledger, NOW + 90_000);
    expect(await tester()(connection)).toEqual({ result: 'unavailable', message: expect.stringContaining('in 90 seconds') });
    expect(calls).toBe(0);
  });

  test('is made at most once a second', async () => {
    const one = tester();
    const outcomes = await Promise.all([one, one, one, one].map((each) => each(connection)));
    // Two more may wait for their turn.
    expect(outcomes.map(({ result }) => result)).toEqual(['works', 'works', 'unavailable', 'unavailable']);
  });
});
