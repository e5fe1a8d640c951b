import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { Known, Store, Write } from '@parcelway/store/store';
import { callLedgers } from './connection-collections.ts';
import { type CallDecision, type CallLedger, type CallVerdict, EMPTY_LEDGER } from './domain/call-ledger.ts';

/** What deletes the ledger of a connection, where one is known. */
export function ledgerDeletions(known: Known, connectionId: string): readonly Write[] {
  const stored = known.get(callLedgers, [connectionId]);
  return stored === undefined ? [] : [{ in: callLedgers, delete: stored }];
}

/**
 * What connections have called, for any number of processes: a ledger is written only if it is still as it was decided on, so no two processes take the
 * same call. Times are those of the deciding process: clocks that differ by more than a tenth of a second let calls come closer than the rate allows.
 */
export function createCallLedgers(store: Store) {
  const read = async (connectionId: string) => {
    const stored = await store.get(callLedgers, [connectionId]);
    if (stored === undefined) return { stored, ledger: EMPTY_LEDGER };
    const { connectionId: _id, ...ledger } = stored.value;
    return { stored, ledger };
  };
  const decided = <R extends object>(
    connectionId: string,
    decide: (ledger: CallLedger) => { readonly ledger: CallLedger; readonly verdict: R },
  ) =>
    untilWritten(async () => {
      const before = await read(connectionId);
      const { ledger, verdict } = decide(before.ledger);
      if (ledger === before.ledger) return verdict;
      const write = before.stored
        ? { in: callLedgers, patch: before.stored, set: ledger }
        : { in: callLedgers, insert: { connectionId, ...ledger } };
      const [outcome] = await store.apply([write as Write]);
      return outcome?.kind === 'written' ? verdict : undefined;
    });
  return {
    /** Decides on a ledger and writes it in one durable step. `decide` may run several times; the same ledger writes nothing. */
    take: (connectionId: string, decide: (ledger: CallLedger) => CallDecision): Promise<CallVerdict> => decided(connectionId, decide),
    /** Changes the ledger; the same ledger writes nothing. */
    async change(connectionId: string, change: (ledger: CallLedger) => CallLedger): Promise<void> {
      await decided(connectionId, (ledger) => ({ ledger: change(ledger), verdict: {} }));
    },
    /** @returns {@link EMPTY_LEDGER} when there is none */
    read: async (connectionId: string): Promise<CallLedger> => (await read(connectionId)).ledger,
  };
}

/** What connections have called, shared by all processes. */
export type CallLedgers = ReturnType<typeof createCallLedgers>;
