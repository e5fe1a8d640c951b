import { AUDIT_KEPT_DAYS } from '@parcelway/contracts/activity-api';
import type { AuditOutcome } from '@parcelway/contracts/audited-routes';
import type { SessionKind } from '@parcelway/contracts/key-api';
import { nullable } from '@parcelway/contracts/text';
import { collection } from '@parcelway/store/collection';
import type { Store, Write } from '@parcelway/store/store';
import Type from 'typebox';
import { type Page, type Part, readPage } from './read-page.ts';

/** Stands for the tenant in entries that concern no single tenant. */
export const NO_TENANT = '';

/** The audit log. */
export const auditEntries = collection(
  'audit_entries',
  Type.Object(
    {
      /** `aud_…`; rises with the time. */
      entryId: Type.String(),
      /** {@link NO_TENANT} if the entry concerns no single tenant. */
      tenantId: Type.String(),
      at: Type.Integer(),
      action: Type.String(),
      actorType: Type.Unsafe<'key' | 'operator'>(Type.String()),
      /** `key_…`, or the name of an operator's token. */
      actorId: Type.String(),
      /** IP address of the client; null for an operator. */
      address: nullable(Type.String()),
      /** What acted for the key; absent when the key itself was sent, and for an operator. */
      session: Type.Optional(Type.Unsafe<SessionKind>(Type.String())),
      resourceType: Type.String(),
      /** As `keptId` makes it; null when it is not known, at least not yet. */
      resourceId: nullable(Type.String()),
      /** `unknown` until the change is made. */
      outcome: Type.Unsafe<AuditOutcome>(Type.String()),
      requestId: Type.String(),
    },
    { additionalProperties: false },
  ),
  {
    describe: 'Who has changed what',
    key: ['entryId'],
    // Over all tenants: the list of the operator, and the sweep.
    lists: { tenant: ['tenantId', '-at'], age: ['-at'] },
    tenant: 'tenantId',
    shard: 'tenantId',
    ends: [{ by: 'age', keptMs: AUDIT_KEPT_DAYS * 86_400_000 }],
    copy: {
      name: 'audit_log',
      // A person of the operator is no data of the tenant.
      record: ({ tenantId: _tenant, entryId, actorType, actorId, resourceType, resourceId, requestId, ...entry }) => ({
        entry_id: entryId,
        actor_type: actorType,
        actor_id: actorType === 'operator' ? null : actorId,
        resource_type: resourceType,
        resource_id: resourceId,
        request_id: requestId,
        session: null,
        ...entry,
      }),
    },
  },
);

/** A change as the audit log keeps it. `at`: when the request came, epoch milliseconds. */
export type AuditRecord = NonNullable<(typeof auditEntries)['document']>;

/** Keeps the audit log. An entry is written by its trail alone, at most twice, so that nobody has to read it before. @param store with {@link auditEntries} */
export function createAuditStore(store: Store) {
  const apply = async (write: Write<AuditRecord>): Promise<void> => {
    await store.apply([write as Write]);
  };
  return {
    /** Writes an entry, durably. @throws AppError 50301 */
    add: (entry: AuditRecord): Promise<void> => apply({ in: auditEntries, insert: entry }),
    /** Writes the outcome and the resource of an entry that was added. */
    finish(entry: AuditRecord): Promise<void> {
      const { outcome, resourceId, ...kept } = entry;
      return apply({ in: auditEntries, patch: { value: kept as AuditRecord, version: 1 }, set: { outcome, resourceId } });
    },
    /** Removes an entry: nothing was changed. */
    remove: (entry: AuditRecord): Promise<void> => apply({ in: auditEntries, delete: { value: entry, version: 1 } }),
    /**
     * Newest first; at most `limit`. Costs as much at any place.
     * @param tenantId undefined for the entries of all
     * @param matches which of them; default: all
     */
    list(tenantId: string | undefined, part: Part, matches?: (entry: AuditRecord) => boolean): Promise<Page<AuditRecord>> {
      const [index, eq] = tenantId === undefined ? [auditEntries.by.age, []] : [auditEntries.by.tenant, [tenantId]];
      return readPage(store, index, { eq, ...part }, matches);
    },
  };
}

export type AuditStore = ReturnType<typeof createAuditStore>;
