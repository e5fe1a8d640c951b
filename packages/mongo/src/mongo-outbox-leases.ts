import { randomBytes } from 'node:crypto';
import type { Lease } from './mongo-outbox-fields.ts';

/** Names the leases of a process. */
export class LeaseNames {
  readonly #process = randomBytes(12).toString('base64url');
  readonly #leaseMs: number;
  #count = 0;
  /** Of documents that are inserted within one millisecond. */
  #shared: Lease = { token: '', until: 0 };

  /** @param leaseMs how long a lease lasts, milliseconds */
  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs;
  }

  /** A lease that begins now, with a name of its own. @param now epoch milliseconds */
  next(now: number): Lease {
    this.#count += 1;
    return { token: `${this.#process}.${this.#count.toString(36)}`, until: now + this.#leaseMs };
  }

  /** The lease of the documents that are inserted now: the same one within a millisecond. @param now epoch milliseconds */
  ofInserts(now: number): Lease {
    if (this.#shared.until !== now + this.#leaseMs) this.#shared = this.next(now);
    return this.#shared;
  }
}
