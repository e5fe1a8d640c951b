import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@parcelway/kernel/clock';
import type { CallDecision, CallLedger, CallVerdict } from '../connections/domain/call-ledger.ts';
import type { CallLedgers } from '../connections/ports.ts';

/** Whose turn it is, and by which clock. */
export interface CallTurn {
  readonly ledgers: Pick<CallLedgers, 'take' | 'read'>;
  readonly connectionId: string;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Takes one call and waits for its turn. While it waits, the vendor may refuse another call for some time: then this one is not granted either, and
 * stays counted.
 * @param decide see takeCall
 * @throws AppError 50301 when the store is out
 */
export async function takeTurn(
  { ledgers, connectionId, clock }: CallTurn,
  decide: (ledger: CallLedger) => CallDecision,
): Promise<CallVerdict> {
  const verdict = await ledgers.take(connectionId, decide);
  if (!verdict.isGranted) return verdict;
  const waitMs = verdict.at - clock.now();
  if (waitMs <= 0) return verdict;
  await sleep(waitMs);
  const { blockedUntil } = await ledgers.read(connectionId);
  return blockedUntil > clock.now() ? { isGranted: false, until: blockedUntil, reason: 'blocked' } : verdict;
}
