import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { Known, Store, Write } from '@parcelway/store/store';
import { callLedgers } from './connection-collections.ts';
import { type CallDecision, type CallLedger, type CallVerdict, EMPTY_LEDGER, registrationsOf } from './domain/call-ledger.ts';

/** Keys of the ledgers of a connection. */
export const ledgersOf = (connectionId: string) => [[connectionId], [registrationsOf(connectionId)]];

/** What deletes the ledgers that are known of a connection. */
export const ledgerDeletions = (known: Known, connectionId: string): readonly Write[] =>
  ledgersOf(connectionId).flatMap((key) => {
    const stored = known.get(callLedgers, key);
    return stored === undefined ? [] : [{ in: callLedgers, delete: stored }];
  });

/**
 * What connections have called, for any number of processes: a ledger is written only if it is still as it was decided on, so no two processes take the
 * same call. An id is that of a connection, or call-ledger registrationsOf it. Times are those of the deciding process: clocks that differ by more than a tenth of a second let calls come closer than the rate allows.
 */
export function createCallLedgers(store: Store) {
  const read = async (ledgerId: string) => {
    const stored = await store.get(callLedgers, [ledgerId]);
    const { ledgerId: _id, ...ledger } = stored?.value ?? { ...EMPTY_LEDGER, ledgerId };
    return { stored, ledger: stored === undefined ? EMPTY_LEDGER : ledger };
  };

  /** The same ledger writes nothing. */
  const decided = <R extends object>(
    ledgerId: string,
    decide: (ledger: CallLedger) => { readonly ledger: CallLedger; readonly verdict: R },
  ) =>
    untilWritten(async () => {
      const before = await read(ledgerId);
      const { ledger, verdict } = decide(before.ledger);
      if (ledger === before.ledger) return verdict;
      const write = before.stored
        ? { in: callLedgers, patch: before.stored, set: ledger }
        : { in: callLedgers, insert: { ledgerId, ...ledger } };
      const [outcome] = await store.apply([write as Write]);
      return outcome?.kind === 'written' ? verdict : undefined;
    });

  return {
    /** Decides on a ledger and writes it in one durable step. `decide` may run several times. */
    take: (ledgerId: string, decide: (ledger: CallLedger) => CallDecision): Promise<CallVerdict> => decided(ledgerId, decide),
    /** Changes the ledger; the same ledger writes nothing. */
    async change(ledgerId: string, change: (ledger: CallLedger) => CallLedger): Promise<void> {
      await decided(ledgerId, (ledger) => ({ ledger: change(ledger), verdict: {} }));
    },
    /** @returns {@link EMPTY_LEDGER} when there is none */
    read: async (ledgerId: string): Promise<CallLedger> => (await read(ledgerId)).ledger,
  };
}

/** What connections have called, shared by all processes. */
export type CallLedgers = ReturnType<typeof createCallLedgers>;
