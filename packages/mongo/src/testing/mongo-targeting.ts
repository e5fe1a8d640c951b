import type { MongoCollection } from '../mongo-collection.ts';
import type { MongoDatabase } from '../mongo-database.ts';
import type { ShardKey } from '../mongo-sharding.ts';

type Filter = Readonly<Record<string, unknown>>;

/** An operation as the server's profiler writes it down. */
interface ProfiledOperation {
  readonly op: string;
  readonly ns: string;
  readonly command?: Filter;
}

/** What an operation goes by. */
interface Request {
  readonly verb: string;
  readonly filter: Filter;
  /** It writes one document: the router must know its shard from one value, not from a choice. */
  readonly writesOne: boolean;
}

/** Without what is written: the profiler cuts a long text in the middle of a character. */
const RECORDED = Object.fromEntries(
  [
    'op',
    'ns',
    ...['find', 'filter', 'aggregate', 'pipeline', 'findAndModify', 'query', 'count', 'distinct', 'q', 'multi', 'limit'].map(
      (field) => `command.${field}`,
    ),
  ].map((field) => [field, 1] as const),
);

/** Fields of the outbox: its relay goes over all documents, and claims what it has found. */
const RELAYED = /\boutbox_/;

const isObject = (value: unknown): value is Filter => typeof value === 'object' && value !== null && value.constructor === Object;

/** True when a condition names the values of a field. */
function names(condition: unknown, one: boolean): boolean {
  if (!isObject(condition)) return condition !== null && condition !== undefined;
  return '$eq' in condition || (!one && '$in' in condition);
}

/** True when a filter names the values of a field, whichever branch applies. */
function namesField(filter: Filter, field: string, one: boolean): boolean {
  if (names(filter[field], one)) return true;
  const all = filter['$and'];
  if (Array.isArray(all) && all.some((part: Filter) => namesField(part, field, one))) return true;
  const any = filter['$or'];
  return Array.isArray(any) && any.length > 0 && any.every((part: Filter) => namesField(part, field, one));
}

/** What an operation on a collection goes by; undefined for an insert, for the rest of a cursor and for indexes. */
function requestOf({ op, command = {} }: ProfiledOperation): Request | undefined {
  const filterIn = (name: string): Filter => (command[name] ?? {}) as Filter;
  if (op === 'update')
    return { verb: command['multi'] === true ? 'updateMany' : 'updateOne', filter: filterIn('q'), writesOne: command['multi'] !== true };
  if (op === 'remove')
    return { verb: command['limit'] === 1 ? 'deleteOne' : 'deleteMany', filter: filterIn('q'), writesOne: command['limit'] === 1 };
  if ('findAndModify' in command) return { verb: 'findOneAndUpdate', filter: filterIn('query'), writesOne: true };
  if ('find' in command) return { verb: 'find', filter: filterIn('filter'), writesOne: false };
  if ('aggregate' in command) {
    const [first] = command['pipeline'] as readonly Filter[];
    return { verb: 'aggregate', filter: (first?.['$match'] ?? {}) as Filter, writesOne: false };
  }
  if ('count' in command || 'distinct' in command) return { verb: 'count', filter: filterIn('query'), writesOne: false };
  return undefined;
}

/** The fields that a filter goes by, for a person. */
function fieldsOf(filter: Filter): string {
  const fields = Object.entries(filter).map(([name, value]) =>
    name.startsWith('$') && Array.isArray(value) ? `${name}(${[...new Set(value.map(fieldsOf))].sort().join(' | ')})` : name,
  );
  return fields.sort().join(', ');
}

/**
 * The operations since {@link startProfile} that a router could not send to the shards of the named documents alone, because they
 * do not name the shard key: `updateMany parcels by _id`, each once, in order. What is not sharded is left out, and so are the relay of the outbox and
 * operations on all documents, such as those that empty a collection between two tests.
 */
export async function broadcastsOf(database: MongoDatabase, collections: readonly MongoCollection<unknown>[]): Promise<readonly string[]> {
  const { db } = database.connection;
  if (db === undefined) throw new Error('The database is not connected');
  await db.command({ profile: 0 });
  const keys = new Map<string, ShardKey>(
    collections.flatMap(({ name, sharding }) => ('key' in sharding ? [[`${db.databaseName}.${name}`, sharding.key] as const] : [])),
  );
  const operations = await db
    .collection<ProfiledOperation>('system.profile')
    .find(
      { ns: { $in: [...keys.keys()] }, op: { $in: ['query', 'update', 'remove', 'command'] } },
      { projection: RECORDED, enableUtf8Validation: false },
    )
    .toArray();
  const broadcasts = operations.flatMap((operation) => {
    const request = requestOf(operation);
    if (request === undefined) return [];
    const { verb, filter, writesOne } = request;
    const fields = Object.keys(keys.get(operation.ns) ?? {});
    if (fields.every((field) => namesField(filter, field, writesOne))) return [];
    const by = fieldsOf(filter);
    const name = operation.ns.slice(db.databaseName.length + 1);
    return by === '' || RELAYED.test(by) ? [] : [`${verb} ${name} by ${by}`];
  });
  return [...new Set(broadcasts)].sort();
}
