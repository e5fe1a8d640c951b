import type { AuditLogQuery } from '@parcelway/contracts/activity-api';
import { invalidCursor, type SealedCursors } from '@parcelway/http/sealed-cursor';
import { type ListPosition, positionInText, textOfPosition } from '@parcelway/kernel/list-position';
import type { TimeRange } from '../ports.ts';
import type { LogPage } from '../read-log.ts';

/** The time that a query asks for. */
export const timeRangeOf = ({ created_from, created_to }: Pick<AuditLogQuery, 'created_from' | 'created_to'>): TimeRange => ({
  ...(created_from !== undefined && { from: Date.parse(created_from) }),
  ...(created_to !== undefined && { to: Date.parse(created_to) }),
});

/** Reads the cursor of a query. */
export function cursorIn(cursors: SealedCursors, owner: string) {
  const read: { after: ListPosition | undefined } = { after: undefined };
  const check = (text: string) => {
    read.after = positionInText(cursors.open(owner, text) ?? '');
    return read.after === undefined ? invalidCursor : undefined;
  };
  return { read, checks: { cursor: check } };
}

/** `next_cursor` of a page. */
export function nextCursor({ next }: LogPage<unknown>, cursors: SealedCursors, owner: string): string | null {
  return next === null ? null : cursors.seal(owner, textOfPosition(next));
}
