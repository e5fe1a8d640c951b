import { storedEvent } from '../../expected/domain/event.ts';
import type { UnclaimedReason } from '../../expected/domain/match.ts';
import type { UnclaimedParcel } from '../ports.ts';

/** An event without a forecast, as a list shows it. */
export interface UnclaimedRow extends WaitingRow {
  readonly received_at: number;
}

/** An event without a forecast. */
export interface WaitingRow {
  readonly id: number;
  readonly event: string;
  readonly waiting: UnclaimedReason;
}

/** A row as the port shows it. */
export function unclaimedOf(row: UnclaimedRow): UnclaimedParcel {
  const event = storedEvent(row.event);
  return { event, type: event.detail.type, reason: row.waiting, receivedAt: row.received_at };
}
