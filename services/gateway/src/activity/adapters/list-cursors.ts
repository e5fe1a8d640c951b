import type { AuditLogQuery } from '@parcelway/contracts/activity-api';
import type { Validator } from '@parcelway/contracts/validator';
import { parseQuery } from '@parcelway/http/query';
import { createSealedCursors, invalidCursor, type SealedCursors } from '@parcelway/http/sealed-cursor';
import { type ListPosition, positionInText, textOfPosition } from '@parcelway/kernel/list-position';
import type { Request } from 'express';
import type { TimeRange } from '../audit-collection.ts';
import { type PageRequest, readPage } from '../read-page.ts';

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

type LogQuery = Pick<AuditLogQuery, 'limit' | 'created_from' | 'created_to'>;

/** A log that is read in pages, newest first. */
export interface PagedLog<T, Query extends LogQuery> {
  /** The cursor of another list is invalid. */
  readonly sealedFor: string;
  readonly query: Validator<Query>;
  /** Records of a page unless the query says how many. */
  readonly standard: number;
  /** @param owner for whom cursors are sealed */
  list(query: Query, owner: string, range: TimeRange, limit: number, after: ListPosition | undefined): Promise<readonly T[]>;
  /** Which records a query asks for; undefined: all. */
  matches(query: Query): PageRequest<T>['matches'];
  readonly positionOf: PageRequest<T>['positionOf'];
}

/**
 * Reads pages of a log, as the queries of requests ask.
 * @returns what rejects with AppError 42201 for a query that is not allowed
 */
export function logPages<T, Query extends LogQuery>(secrets: readonly string[], log: PagedLog<T, Query>) {
  const cursors = new ListCursors(secrets, log.sealedFor);
  return async (req: Request, owner: string) => {
    const { query, after } = cursors.read(req, log.query, owner);
    const range: TimeRange = {
      ...(query.created_from !== undefined && { from: Date.parse(query.created_from) }),
      ...(query.created_to !== undefined && { to: Date.parse(query.created_to) }),
    };
    const request = { matches: log.matches(query), positionOf: log.positionOf, limit: Number(query.limit ?? log.standard), after };
    const page = await readPage((limit, place) => log.list(query, owner, range, limit, place), request);
    return { records: page.records, next_cursor: cursors.next(page, owner) };
  };
}
