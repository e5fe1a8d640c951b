import type { AuditLogQuery } from '@parcelway/contracts/activity-api';
import type { Validator } from '@parcelway/contracts/validator';
import { parseQuery } from '@parcelway/http/query';
import { createSealedCursors, invalidCursor, type SealedCursors } from '@parcelway/http/sealed-cursor';
import type { Request } from 'express';
import type { Page, Part } from '../read-page.ts';

/** The cursors of one list. That of another list, or of another owner, is invalid. */
export class ListCursors {
  readonly #cursors: SealedCursors;

  /** @param secrets of the installation, of which the first seals */
  constructor(secrets: readonly string[], list: string) {
    this.#cursors = createSealedCursors(secrets, list);
  }

  /** The query of a request, and the place behind which its page begins. @throws AppError 42201 naming each parameter that is wrong */
  read<Query>(req: Request, validator: Validator<Query>, owner: string): { readonly query: Query; readonly after: string | undefined } {
    let after: string | undefined;
    const query = parseQuery(req, validator, {
      cursor: (text) => {
        after = this.#cursors.open(owner, text);
        return after === undefined ? invalidCursor : undefined;
      },
    });
    return { query, after };
  }

  /** `next_cursor` of a page. */
  next({ next }: Pick<Page<unknown>, 'next'>, owner: string): string | null {
    return next === null ? null : this.#cursors.seal(owner, next);
  }
}

/** A log that is read in pages, newest first. */
export interface PagedLog<T, Query> {
  /** The cursor of another list is invalid. */
  readonly sealedFor: string;
  readonly query: Validator<Query>;
  /** Records of a page unless the query says how many. */
  readonly standard: number;
  /** @param owner for whom cursors are sealed */
  list(query: Query, owner: string, part: Part): Promise<Page<T>>;
}

/**
 * Reads pages of a log, as the queries of requests ask.
 * @returns what rejects with AppError 42201 for a query that is not allowed
 */
export function logPages<T, Query extends Pick<AuditLogQuery, 'limit' | 'created_from' | 'created_to'>>(
  secrets: readonly string[],
  { sealedFor, query: validator, standard, list }: PagedLog<T, Query>,
) {
  const cursors = new ListCursors(secrets, sealedFor);
  return async (req: Request, owner: string) => {
    const { query, after } = cursors.read(req, validator, owner);
    const { limit = standard, created_from: from, created_to: to } = query;
    const times = { ...(from !== undefined && { from: Date.parse(from) }), ...(to !== undefined && { to: Date.parse(to) }) };
    const page = await list(query, owner, { ...times, limit: Number(limit), after });
    return { records: page.records, next_cursor: cursors.next(page, owner) };
  };
}
