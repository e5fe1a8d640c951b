import type {
  AuditLogQuery,
  ConsoleLinkCreation,
  FailedCallsQuery,
  KeyChange,
  KeyCreation,
  KeyRotation,
  TenantKeyListQuery,
  UsageQuery,
} from '../generated/types.ts';
import type { CallOptions } from '../options.ts';
import { Resource } from '../resource.ts';

/** Your API keys, with a key that has the scope keys:manage. Every method but create and list rejects with 40403 when there is no such key. */
export class Keys extends Resource {
  /** Keys, newest first, revoked and expired ones too: `for await (const key of parcelway.keys.list())`. */
  list(query: TenantKeyListQuery = {}, options?: CallOptions) {
    return this.pages('listKeys', { query }, (page) => page.keys, options);
  }

  /** Creates a key; the response alone has the key itself. It has no more scopes than the key that you call with. */
  create(creation: KeyCreation, options?: CallOptions) {
    return this.caller.call('createKey', { body: creation }, options);
  }

  /** One. */
  get(keyId: string, options?: CallOptions) {
    return this.caller.call('getKey', { path: { key_id: keyId } }, options);
  }

  /** Changes the fields given, within 5 seconds. Scopes never grow. */
  update(keyId: string, change: KeyChange, options?: CallOptions) {
    return this.caller.call('updateKey', { path: { key_id: keyId }, body: change }, options);
  }

  /** Creates a key with the same settings; the former one still works for a day, or as the request says. */
  rotate(keyId: string, request?: KeyRotation, options?: CallOptions) {
    return this.caller.call('rotateKey', { path: { key_id: keyId }, body: request }, options);
  }

  /** Revokes a key for good, within 5 seconds. */
  revoke(keyId: string, options?: CallOptions) {
    return this.caller.call('revokeKey', { path: { key_id: keyId } }, options);
  }
}

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

/** How people come into the console. */
export class Console extends Resource {
  /** A link that opens the console for a user of yours, for an hour at most. */
  createLink(creation?: ConsoleLinkCreation, options?: CallOptions) {
    return this.caller.call('createConsoleLink', { body: creation }, options);
  }

  /** Begins a session as the console does when somebody signs in with a key. */
  createSession(options?: CallOptions) {
    return this.caller.call('createConsoleSession', {}, options);
  }
}

/** Warehouses that a forecast may name. */
export class Warehouses extends Resource {
  /** All of them. */
  list(options?: CallOptions) {
    return this.caller.call('listWarehouses', {}, options);
  }
}

/** Who calls. */
export class Me extends Resource {
  /** Your tenant, the key that you call with, and its rate limits. Any key of a tenant can read it. */
  get(options?: CallOptions) {
    return this.caller.call('getOwnAccess', {}, options);
  }
}
