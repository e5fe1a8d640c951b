import type { Caller } from '../caller.ts';
import type {
  AuditEntry,
  AuditLog,
  AuditLogQuery,
  FailedCall,
  FailedCallList,
  FailedCallsQuery,
  Usage,
  UsageQuery,
} from '../generated/types.ts';
import type { CallOptions } from '../options.ts';
import { Paged } from '../paged.ts';

/** What your keys did, with a key that has the scope keys:manage. */
export class Activity {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Who changed what, newest first: `for await (const entry of parcelway.activity.auditLog())`. */
  auditLog(query: AuditLogQuery = {}, options?: CallOptions): Paged<AuditEntry, AuditLog> {
    const fetch = (cursor: string | undefined): Promise<AuditLog> =>
      this.#caller.call('listAuditLog', { query: cursor === undefined ? query : { ...query, cursor } }, options);
    return new Paged(fetch, (page) => page.entries);
  }

  /** Calls of the last 7 days that failed, newest first: `for await (const call of parcelway.activity.failedCalls({ code: '42201' }))`. */
  failedCalls(query: FailedCallsQuery = {}, options?: CallOptions): Paged<FailedCall, FailedCallList> {
    const fetch = (cursor: string | undefined): Promise<FailedCallList> =>
      this.#caller.call('listFailedCalls', { query: cursor === undefined ? query : { ...query, cursor } }, options);
    return new Paged(fetch, (page) => page.requests);
  }

  /** Calls, parcels, events and files of each day. */
  usage(query: UsageQuery = {}, options?: CallOptions): Promise<Usage> {
    return this.#caller.call('getUsage', { query }, options);
  }
}
