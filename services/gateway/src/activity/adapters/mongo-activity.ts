import type { ListPosition } from '@parcelway/kernel/list-position';
import type { MongoCollection } from '@parcelway/mongo/mongo-collection';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { mongo } from 'mongoose';
import type { AuditRecord } from '../domain/audit-entry.ts';
import type { FailedCallRecord } from '../domain/failed-call.ts';
import type { AuditStore, FailedCallStore, TimeRange } from '../ports.ts';
import { type AuditDocument, auditEntries, type FailedCallDocument, failedCalls } from './mongo-activity-schema.ts';

const NEWEST_FIRST = { at: -1, _id: -1 } as const;

/** Documents behind a position and within a range. The first condition bounds the index, whatever plan the server takes. */
function within({ from, to }: TimeRange, after: ListPosition | undefined): Record<string, unknown> {
  const at = { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lt: to }) };
  if (after === undefined) return Object.keys(at).length === 0 ? {} : { at };
  return { at: { ...at, $lte: after.createdAt }, $or: [{ at: { $lt: after.createdAt } }, { at: after.createdAt, _id: { $lt: after.id } }] };
}

function collectionOf<T extends { _id: string }>(db: MongoDatabase, collection: MongoCollection<T>): mongo.Collection<T> {
  return db.model(collection).collection as unknown as mongo.Collection<T>;
}

/** Deletes the oldest documents of before an instant. @returns how many */
async function deleteOldest(documents: mongo.Collection<{ _id: string; at: number }>, at: number, limit: number): Promise<number> {
  const found = await documents
    .find({ at: { $lt: at } }, { projection: { _id: 1 } })
    .sort({ at: 1 })
    .limit(limit)
    .toArray();
  if (found.length === 0) return 0;
  return (await documents.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } })).deletedCount;
}

function toEntry(document: AuditDocument): AuditRecord {
  return {
    entryId: document._id,
    tenantId: document.tenant_id,
    at: document.at,
    action: document.action,
    actor: {
      type: document.actor_type,
      id: document.actor_id,
      address: document.address,
      ...(document.session !== undefined && { session: document.session }),
    },
    resourceType: document.resource_type,
    resourceId: document.resource_id,
    outcome: document.outcome,
    requestId: document.request_id,
  };
}

/** The audit log in MongoDB. */
export class MongoAudit implements AuditStore {
  readonly #db: MongoDatabase;
  readonly #entries: mongo.Collection<AuditDocument>;

  /** @param db migrated with {@link auditEntries} */
  constructor(db: MongoDatabase) {
    this.#db = db;
    this.#entries = collectionOf(db, auditEntries);
  }

  async add({ entryId, tenantId, at, action, actor, resourceType, resourceId, outcome, requestId }: AuditRecord): Promise<void> {
    const document: AuditDocument = {
      _id: entryId,
      tenant_id: tenantId,
      at,
      action,
      actor_type: actor.type,
      actor_id: actor.id,
      address: actor.address,
      resource_type: resourceType,
      resource_id: resourceId,
      outcome,
      request_id: requestId,
      ...(actor.session !== undefined && { session: actor.session }),
    };
    await this.#db.run(() => this.#entries.insertOne(document));
  }

  async finish({ entryId, tenantId, outcome, resourceId }: AuditRecord): Promise<void> {
    const change = { $set: { outcome, resource_id: resourceId } };
    await this.#db.run(() => this.#entries.updateOne({ _id: entryId, tenant_id: tenantId }, change));
  }

  async remove({ entryId, tenantId }: AuditRecord): Promise<void> {
    await this.#db.run(() => this.#entries.deleteOne({ _id: entryId, tenant_id: tenantId }));
  }

  async list(tenantId: string | undefined, range: TimeRange, limit: number, after: ListPosition | undefined): Promise<AuditRecord[]> {
    const filter = { ...(tenantId !== undefined && { tenant_id: tenantId }), ...within(range, after) };
    const index = tenantId === undefined ? 'by_age' : 'by_tenant';
    const found = await this.#db.run(() => this.#entries.find(filter).sort(NEWEST_FIRST).limit(limit).hint(index).toArray());
    return found.map((document) => toEntry(document as AuditDocument));
  }

  deleteBefore(at: number, limit: number): Promise<number> {
    return this.#db.run(() => deleteOldest(this.#entries as unknown as mongo.Collection<{ _id: string; at: number }>, at, limit));
  }
}

function toCall(document: FailedCallDocument): FailedCallRecord {
  return {
    callId: document._id,
    tenantId: document.tenant_id,
    at: document.at,
    requestId: document.request_id,
    method: document.method,
    route: document.route,
    path: document.path,
    status: document.status,
    code: document.code,
    message: document.message,
    data: document.data,
    keyId: document.key_id,
    durationMs: document.duration_ms,
  };
}

function toDocument(call: FailedCallRecord): FailedCallDocument {
  return {
    _id: call.callId,
    tenant_id: call.tenantId,
    at: call.at,
    request_id: call.requestId,
    method: call.method,
    route: call.route,
    path: call.path,
    status: call.status,
    code: call.code,
    message: call.message,
    data: call.data,
    key_id: call.keyId,
    duration_ms: call.durationMs,
  };
}

/** Failed calls in MongoDB. */
export class MongoFailedCalls implements FailedCallStore {
  readonly #db: MongoDatabase;
  readonly #calls: mongo.Collection<FailedCallDocument>;

  /** @param db migrated with {@link failedCalls} */
  constructor(db: MongoDatabase) {
    this.#db = db;
    this.#calls = collectionOf(db, failedCalls);
  }

  async add(calls: readonly FailedCallRecord[]): Promise<void> {
    // Inserted or there already: the write before may have come to some of them.
    const writes = calls.map((call) => {
      const { _id, tenant_id, ...fields } = toDocument(call);
      return { updateOne: { filter: { _id, tenant_id }, update: { $setOnInsert: fields }, upsert: true } };
    });
    await this.#db.run(() => this.#calls.bulkWrite(writes, { ordered: false }));
  }

  async list(tenantId: string, range: TimeRange, limit: number, after: ListPosition | undefined): Promise<FailedCallRecord[]> {
    const filter = { tenant_id: tenantId, ...within(range, after) };
    const found = await this.#db.run(() => this.#calls.find(filter).sort(NEWEST_FIRST).limit(limit).hint('by_tenant').toArray());
    return found.map((document) => toCall(document as FailedCallDocument));
  }

  async withRequestId(
    requestId: string,
    tenantId: string,
    range: TimeRange,
    limit: number,
    after: ListPosition | undefined,
  ): Promise<FailedCallRecord[]> {
    const filter = { tenant_id: tenantId, request_id: requestId, ...within(range, after) };
    const found = await this.#db.run(() => this.#calls.find(filter).sort(NEWEST_FIRST).limit(limit).hint('by_request').toArray());
    return found.map((document) => toCall(document as FailedCallDocument));
  }

  deleteBefore(at: number, limit: number): Promise<number> {
    return this.#db.run(() => deleteOldest(this.#calls as unknown as mongo.Collection<{ _id: string; at: number }>, at, limit));
  }
}
