import type { AuditLogQuery, FailedCallsQuery, UsageQuery } from '../generated/types.ts';
import type { CallOptions } from '../options.ts';
import { Resource } from '../resource.ts';

/** What your keys did, with a key that has the scope keys:manage. */
export class Activity extends Resource {
  /** Who changed what, newest first: `for await (const entry of parcelway.activity.auditLog())`. */
  auditLog(query: AuditLogQuery = {}, options?: CallOptions) {
    return this.pages('listAuditLog', { query }, (page) => page.entries, options);
  }

  /** Calls of the last 7 days that failed, newest first: `for await (const call of parcelway.activity.failedCalls({ code: '42201' }))`. */
  failedCalls(query: FailedCallsQuery = {}, options?: CallOptions) {
    return this.pages('listFailedCalls', { query }, (page) => page.requests, options);
  }

  /** Calls, parcels, events and files of each day. */
  usage(query: UsageQuery = {}, options?: CallOptions) {
    return this.caller.call('getUsage', { query }, options);
  }
}
