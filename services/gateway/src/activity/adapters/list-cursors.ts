import type { AuditLogQuery } from '@parcelway/contracts/activity-api';
import type { Validator } from '@parcelway/contracts/validator';
import { parseQuery } from '@parcelway/http/query';
import { createSealedCursors, invalidCursor, type SealedCursors } from '@parcelway/http/sealed-cursor';
import { type ListPosition, positionInText, textOfPosition } from '@parcelway/kernel/list-position';
import type { Request } from 'express';
import type { TimeRange } from '../ports.ts';

/** The time that a query asks for. */
export const timeRangeOf = ({ created_from, created_to }: Pick<AuditLogQuery, 'created_from' | 'created_to'>): TimeRange => ({
  ...(created_from !== undefined && { from: Date.parse(created_from) }),
  ...(created_to !== undefined && { to: Date.parse(created_to) }),
});

/** The cursors of one list. That of another list, or of another owner, is invalid. */
export class ListCursors {
  readonly #cursors: SealedCursors;

  /** @param secrets of the installation, of which the first seals */
  constructor(secrets: readonly string[], list: string) {
    this.#cursors = createSealedCursors(secrets, list);
  }

  /** The query of a request, and the place behind which its page begins. @throws AppError 42201 naming each parameter that is wrong */
  read<Query>(
    req: Request,
    validator: Validator<Query>,
    owner: string,
  ): { readonly query: Query; readonly after: ListPosition | undefined } {
    let after: ListPosition | undefined;
    const query = parseQuery(req, validator, {
      cursor: (text) => {
        after = positionInText(this.#cursors.open(owner, text) ?? '');
        return after === undefined ? invalidCursor : undefined;
      },
    });
    return { query, after };
  }

  /** `next_cursor` of a page. */
  next({ next }: { readonly next: ListPosition | null }, owner: string): string | null {
    return next === null ? null : this.#cursors.seal(owner, textOfPosition(next));
  }
}
