import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { SourceRefusal } from '../../sources/source-refusal.ts';
import { type CallLedger, EMPTY_LEDGER } from '../domain/call-ledger.ts';
import type { CallLedgers } from '../ports.ts';
import { ConnectionLimits } from './connection-limits.ts';

const limits = { requestsPerSecond: null, numbersPerQuery: 1, numbersPerRegistration: 1, callsPerDay: null, fetchesPerParcelPerDay: null };

/** Ledgers whose changes are written when the test says so. */
function slowLedgers() {
  const kept = new Map<string, CallLedger>();
  let write: () => void = () => undefined;
  const ledgers: CallLedgers = {
    async take(id, decide) {
      const { ledger, verdict } = decide(kept.get(id) ?? EMPTY_LEDGER);
      kept.set(id, ledger);
      return verdict;
    },
    change: (id, change) =>
      new Promise<void>((resolve) => {
        write = () => {
          kept.set(id, change(kept.get(id) ?? EMPTY_LEDGER));
          resolve();
        };
      }),
    read: async (id) => kept.get(id) ?? EMPTY_LEDGER,
  };
  return { ledgers, write: () => write() };
}

test('a refusal holds for the process that got it before it is in the ledger, and by the ledger alone after that', async () => {
  const clock = new ManualClock(1_000_000);
  const { ledgers, write } = slowLedgers();
  const ofConnection = new ConnectionLimits({ limits }, 'con', { ledgers, clock });
  const other = new ConnectionLimits({ limits }, 'con', { ledgers, clock });
  expect(await ofConnection.take('query', 'query')).toMatchObject({ isGranted: true });
  const kept = ofConnection.keepTo(new SourceRefusal('throttled', 'slow down', { retryAfterMs: 60_000 }), 'query');
  expect(await ofConnection.take('background', 'register')).toEqual({ isGranted: false, until: 1_060_000, reason: 'blocked' });
  // Another process learns of it by the ledger.
  expect(await other.take('query', 'query')).toMatchObject({ isGranted: true });
  clock.advance(4001);
  expect(await ofConnection.take('query', 'query')).toMatchObject({ isGranted: true });
  write();
  expect(await kept).toBe(1_060_000);
  for (const one of [ofConnection, other]) expect(await one.take('query', 'query')).toMatchObject({ isGranted: false, until: 1_060_000 });
});

test('a quota of registrations that is used up stops those alone', async () => {
  const clock = new ManualClock(1_000_000);
  const { ledgers } = slowLedgers();
  const ofConnection = new ConnectionLimits({ limits, quotaFor: 'registrations' }, 'con', { ledgers, clock });
  void ofConnection.keepTo(new SourceRefusal('quota used up', 'no more', { retryAfterMs: 60_000 }), 'register');
  expect(await ofConnection.take('query', 'register')).toMatchObject({ isGranted: false, until: 1_060_000 });
  expect(await ofConnection.take('query', 'query')).toMatchObject({ isGranted: true });
});
