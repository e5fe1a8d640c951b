import { createSealedCursors, type SealedCursors } from '@parcelway/http/sealed-cursor';
import type { FieldError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { Request } from 'express';
import { operatorOf } from './operator-access.ts';

/** Where a page of an export begins. */
export interface ExportPlace {
  /** The place as the service knows it; null for the first page. */
  readonly place: string | null;
  /** When the part of the export began that one entry of the audit log stands for; epoch milliseconds. */
  readonly begunAt: number;
  /** True when an entry is to be written: the export begins here, or an hour has passed since the last one. */
  readonly begins: boolean;
}

/** What is wrong with an `after` that no page of the same export has given to the same operator. */
export const invalidAfter: FieldError = {
  field: 'after',
  rule: 'cursor',
  message:
    'after must be the Next-After of the previous page, percent-decoded: of the same kind and tenant, and given to the same operator',
};

/** An export that goes on for longer has another entry of the audit log. */
const ENTRY_MS = 3_600_000;

/**
 * The cursors of exports. Each holds where it leads and when its export began, sealed for one operator, tenant and kind: so nobody reads a page of an export of
 * which the audit log does not say that this operator began it, within the hour.
 */
export class ExportCursors {
  readonly #cursors: SealedCursors;
  readonly #clock: Clock;
  /** What was made of requests: it is asked for twice, and must say the same. */
  readonly #read = new WeakMap<Request, ExportPlace | undefined>();

  /** @param secrets of the installation */
  constructor(secrets: readonly string[], clock: Clock) {
    this.#cursors = createSealedCursors(secrets, 'exports of tenants');
    this.#clock = clock;
  }

  /** Where the page begins that a request for a kind of data asks for; undefined when its `after` was not given to this operator for it. */
  read(req: Request): ExportPlace | undefined {
    if (!this.#read.has(req)) this.#read.set(req, this.#placeIn(req));
    return this.#read.get(req);
  }

  /** The cursor of the page behind the one that a request asks for. @param next place of it, as the service knows it */
  next(req: Request, { begunAt }: ExportPlace, next: string): string {
    // In ASCII, which a sealed cursor can hold: a place is any text.
    return this.#cursors.seal(ownerOf(req), `${begunAt} ${Buffer.from(next).toString('base64url')}`);
  }

  #placeIn(req: Request): ExportPlace | undefined {
    const now = this.#clock.now();
    const after = req.query['after'];
    if (after === undefined) return { place: null, begunAt: now, begins: true };
    const opened = typeof after === 'string' ? this.#cursors.open(ownerOf(req), after) : undefined;
    if (opened === undefined) return undefined;
    const [begun = '', place = ''] = opened.split(' ');
    const begins = now - Number(begun) >= ENTRY_MS;
    return { place: Buffer.from(place, 'base64url').toString(), begunAt: begins ? now : Number(begun), begins };
  }
}

function ownerOf(req: Request): string {
  const { id, service, kind } = req.params;
  return JSON.stringify([operatorOf(req).name, id, service, kind]);
}
