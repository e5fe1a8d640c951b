import { AUDIT_KEPT_DAYS } from '@parcelway/contracts/activity-api';
import type { AuditOutcome } from '@parcelway/contracts/audited-routes';
import type { SessionKind } from '@parcelway/contracts/key-api';
import { nullable } from '@parcelway/contracts/text';
import { collection } from '@parcelway/store/collection';
import type { Store, Write } from '@parcelway/store/store';
import Type from 'typebox';
import type { AuditActor, AuditRecord } from './domain/audit-entry.ts';
import { type Page, type Part, readPage } from './read-page.ts';

/** What has no single tenant. */
const NO_TENANT = '';

/** The audit log. */
export const auditEntries = collection(
  'audit_entries',
  Type.Object(
    {
      entryId: Type.String(),
      /** Empty for what concerns no single tenant. */
      tenantId: Type.String(),
      at: Type.Integer(),
      action: Type.String(),
      actorType: Type.Unsafe<AuditActor['type']>(Type.String()),
      actorId: Type.String(),
      address: nullable(Type.String()),
      session: Type.Optional(Type.Unsafe<SessionKind>(Type.String())),
      resourceType: Type.String(),
      resourceId: nullable(Type.String()),
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

/** An entry as it is stored. */
export type Entry = NonNullable<(typeof auditEntries)['document']>;

function documentOf({ tenantId, actor: { type, id, address, session }, ...entry }: AuditRecord): Entry {
  const actor = { actorType: type, actorId: id, address, ...(session !== undefined && { session }) };
  return { ...entry, ...actor, tenantId: tenantId ?? NO_TENANT };
}

function recordOf({ tenantId, actorType: type, actorId: id, address, session, ...entry }: Entry): AuditRecord {
  const actor = { type, id, address, ...(session !== undefined && { session }) };
  return { ...entry, tenantId: tenantId === NO_TENANT ? null : tenantId, actor };
}

/** Keeps the audit log. An entry is written by its trail alone, at most twice, so that nobody has to read it before. @param store with {@link auditEntries} */
export function createAuditStore(store: Store) {
  const added = (entry: AuditRecord) => ({ value: documentOf(entry), version: 1 });
  const apply = async (write: Write<Entry>): Promise<void> => {
    await store.apply([write as Write]);
  };
  return {
    /** Writes an entry, durably. @throws AppError 50301 */
    add: (entry: AuditRecord): Promise<void> => apply({ in: auditEntries, insert: documentOf(entry) }),
    /** Writes the outcome and the resource of an entry that was added. */
    finish(entry: AuditRecord): Promise<void> {
      const { outcome, resourceId, ...kept } = documentOf(entry);
      return apply({ in: auditEntries, patch: { value: kept as Entry, version: 1 }, set: { outcome, resourceId } as Partial<Entry> });
    },
    /** Removes an entry: nothing was changed. */
    remove: (entry: AuditRecord): Promise<void> => apply({ in: auditEntries, delete: added(entry) }),
    /**
     * Newest first; at most `limit`. Costs as much at any place.
     * @param tenantId undefined for the entries of all
     * @param matches which of them; default: all
     */
    async list(tenantId: string | undefined, part: Part, matches?: (entry: Entry) => boolean): Promise<Page<AuditRecord>> {
      const [index, eq] = tenantId === undefined ? [auditEntries.by.age, []] : [auditEntries.by.tenant, [tenantId]];
      const { records, next } = await readPage(store, index, { eq, ...part }, matches);
      return { records: records.map(recordOf), next };
    },
  };
}

export type AuditStore = ReturnType<typeof createAuditStore>;
