import { isDeepStrictEqual } from 'node:util';
import { MAX_CONNECTIONS } from '@parcelway/contracts/carrier-connection-api';
import type { OperatorConnection, OperatorConnectionChange } from '@parcelway/contracts/operator-connection-api';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { idFromSeed, newToken } from '@parcelway/kernel/ids';
import type { Logger } from '@parcelway/kernel/logger';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { TextSealer } from '@parcelway/kernel/sealed-text';
import type { Store, Stored } from '@parcelway/store/store';
import { ledgerDeletions } from './call-ledgers.ts';
import { callLedgers, connections } from './connection-collections.ts';
import { type Connection, connectionsFor, placeOf, shownId } from './domain/connection.ts';
import {
  changedCredentials,
  connectionErrors,
  connectionOf,
  ownerErrors,
  type SourceDescriptions,
  sourcesFor,
  tokenErrors,
} from './domain/connection-input.ts';

/** A process sees the changes of another one after this time at the latest. */
export const SEEN_WITHIN_MS = 5000;
/** Look-ups that are remembered; the oldest is forgotten first. */
const MAX_REMEMBERED = 10_000;

/** Remembers a bounded number of look-ups for a short time. A look-up under way is shared. */
class Remembered<T> {
  readonly #clock: Clock;
  readonly #entries = new Map<string, { readonly value: Promise<T>; readonly at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(key: string, read: () => Promise<T>): Promise<T> {
    const now = this.#clock.now();
    const known = this.#entries.get(key);
    if (known !== undefined && now - known.at < SEEN_WITHIN_MS) return known.value;
    this.#entries.delete(key);
    const entry = { value: read(), at: now };
    this.#entries.set(key, entry);
    // A failure is not remembered; whoever waits for it gets it.
    entry.value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    if (this.#entries.size > MAX_REMEMBERED) this.#entries.delete(this.#entries.keys().next().value as string);
    return entry.value;
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }
}

type Document = NonNullable<(typeof connections)['document']>;

/** A connection as its owner sees it. Times in epoch milliseconds; null for one of TRACKING_SOURCES. */
export interface OwnConnection {
  /** Without credentials when they cannot be opened any more. */
  readonly connection: Connection;
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
}

/** What is changed of a connection; all else stays. The operator alone may set an address. */
type ConnectionPatch = { readonly [Field in keyof OperatorConnectionChange]: OperatorConnectionChange[Field] | undefined };

export interface ConnectionsOptions {
  readonly store: Store;
  readonly sealer: TextSealer;
  /** Those of TRACKING_SOURCES, which belong to the operator. Of two connections with one id, the configured one is used. */
  readonly configured: readonly Connection[];
  readonly sources: SourceDescriptions;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Of the id: nobody guesses the address of its pushes. */
const ID_BYTES = 18;
const OPERATOR = '';

const noSuchConnection = (): AppError => new AppError('40403', 'The connection does not exist');

const configuredError = (connectionId: string): AppError =>
  new AppError('40902', `The connection ${connectionId} is set in TRACKING_SOURCES: change it there, and start the tracking service again`);

const hiddenError = (connectionId: string): AppError =>
  new AppError(
    '40902',
    `The connection ${connectionId} is in TRACKING_SOURCES and in the store. To remove it from the store, take it out of TRACKING_SOURCES, start the tracking ` +
      'service again, and remove it then',
  );

/** A stored connection without its credentials. */
function described({ connectionId, owner, source, baseUrl, carriers, limits }: Document): Connection {
  const tenantId = owner === OPERATOR ? null : owner;
  return {
    connectionId,
    tenantId,
    source,
    baseUrl,
    carriers,
    limits: (limits as Connection['limits'] | undefined) ?? null,
    credentials: {},
  };
}

/**
 * The connections of an installation, by owner: a tenant, or null for the operator. A change is seen by this process at once, and by others within
 * the time of {@link Remembered}. Every method throws AppError 50301 when the store is out.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #owners: Remembered<readonly Connection[]>;
  readonly #ids: Remembered<Connection | undefined>;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#owners = new Remembered(options.clock);
    this.#ids = new Remembered(options.clock);
  }

  /** Those that serve a carrier for a tenant, in the order in which they are asked. */
  async serving(tenantId: string, carrierCode: string): Promise<readonly Connection[]> {
    const [own, operator] = await Promise.all([this.ofOwner(tenantId), this.ofOwner(null)]);
    return connectionsFor([...own, ...operator], tenantId, carrierCode);
  }

  async byId(connectionId: string): Promise<Connection | undefined> {
    const { store } = this.#options;
    const read = async (): Promise<Connection | undefined> => {
      const stored = await store.get(connections, [connectionId]);
      return stored && this.#opened(stored.value);
    };
    return this.#configured(connectionId) ?? this.#ids.get(connectionId, read);
  }

  /** Those of one owner whose credentials can be opened. */
  ofOwner(tenantId: string | null): Promise<readonly Connection[]> {
    return this.#owners.get(tenantId ?? OPERATOR, async () => {
      const opened = (await this.#stored(tenantId)).flatMap(({ value }) => this.#opened(value) ?? []);
      return tenantId === null ? [...this.#options.configured, ...opened] : opened;
    });
  }

  /**
   * @param seed of a tenant's request: its repeats make one connection. Undefined for the operator
   * @throws AppError 42201 when a field is wrong, 40902 when the id is in use or the owner has as many as it may
   */
  async create(tenantId: string | null, input: OperatorConnection, seed?: string): Promise<OwnConnection> {
    const connectionId = seed === undefined ? `con_${newToken(ID_BYTES)}` : idFromSeed('con', seed);
    const known = seed && (await this.#options.store.get(connections, [connectionId]));
    if (known && known.value.owner === tenantId) return this.#shown(known.value);
    this.#assertRight(tenantId, input);
    const connection = connectionOf(input, tenantId, connectionId);
    if (this.#configured(connection.connectionId) !== undefined) throw configuredError(connection.connectionId);
    const document = await this.#insert(connection);
    this.#noteChange('created', document);
    return this.#shown(document);
  }

  /** Those of an owner, oldest first; the operator's configured ones first. */
  async list(tenantId: string | null): Promise<readonly OwnConnection[]> {
    const stored = (await this.#stored(tenantId)).map(({ value }) => this.#shown(value));
    const configured = this.#options.configured.map((connection) => ({ connection, createdAt: null, updatedAt: null }));
    return tenantId === null ? [...configured, ...stored] : stored;
  }

  /** @throws AppError 40403 when the owner has no such connection, as every method below */
  async get(tenantId: string | null, connectionId: string): Promise<OwnConnection> {
    const connection = tenantId === null ? this.#configured(connectionId) : undefined;
    if (connection !== undefined) return { connection, createdAt: null, updatedAt: null };
    return this.#shown((await this.#find(tenantId, connectionId)).value);
  }

  /** @throws AppError 42201 when the connection would be wrong, 40902 for a configured one, 50301 when others change it all the time */
  async change(tenantId: string | null, connectionId: string, patch: ConnectionPatch): Promise<OwnConnection> {
    if (tenantId === null && this.#configured(connectionId) !== undefined) throw configuredError(connectionId);
    return untilWritten(async () => {
      const before = await this.#find(tenantId, connectionId);
      const former = this.#opened(before.value);
      const connection = this.#changed(former ?? described(before.value), patch);
      if (isDeepStrictEqual(connection, former)) return this.#shown(before.value);
      const after = this.#document(connection, before.value);
      const { connectionId: _id, ...set } = { limits: undefined, ...after };
      const [outcome] = await this.#options.store.apply([{ in: connections, patch: before, set: set as Partial<Document> }]);
      if (outcome?.kind !== 'written') return undefined;
      this.#noteChange('changed', after);
      return this.#shown(after);
    });
  }

  /** Removes a connection, with what it has called. @throws AppError 40902 for a configured one */
  async remove(tenantId: string | null, connectionId: string): Promise<void> {
    const { store } = this.#options;
    if (tenantId === null && this.#configured(connectionId) !== undefined) {
      const isStored = (await store.get(connections, [connectionId])) !== undefined;
      throw isStored ? hiddenError(connectionId) : configuredError(connectionId);
    }
    const reads = [
      { in: connections, keys: [[connectionId]] },
      { in: callLedgers, keys: [[connectionId]] },
    ];
    const { result } = await store.change(
      reads,
      (known) => {
        const stored = known.get(connections, [connectionId]);
        if (stored?.value.owner !== (tenantId ?? OPERATOR)) return { writes: [], result: undefined };
        return { writes: [{ in: connections, delete: stored }, ...ledgerDeletions(known, connectionId)], result: stored.value };
      },
      { together: true },
    );
    if (result === undefined) throw noSuchConnection();
    this.#noteChange('deleted', result);
  }

  #configured(connectionId: string): Connection | undefined {
    return this.#options.configured.find((one) => one.connectionId === connectionId);
  }

  /** The stored ones of an owner, without those that are configured, too. */
  async #stored(tenantId: string | null): Promise<readonly Stored<Document>[]> {
    const { items } = await this.#options.store.find(connections.by.owner, { eq: [tenantId ?? OPERATOR], limit: MAX_CONNECTIONS });
    return tenantId === null ? items.filter(({ value }) => this.#configured(value.connectionId) === undefined) : items;
  }

  async #find(tenantId: string | null, connectionId: string): Promise<Stored<Document>> {
    const stored = await this.#options.store.get(connections, [connectionId]);
    if (stored === undefined || stored.value.owner !== (tenantId ?? OPERATOR)) throw noSuchConnection();
    return stored;
  }

  /** Two inserts of one owner at the same time take different places: the one that loses looks again. @throws AppError 40902 */
  #insert(connection: Connection): Promise<Document> {
    const { store } = this.#options;
    const { tenantId, connectionId } = connection;
    return untilWritten(async () => {
      const { items } = await store.find(connections.by.slot, { eq: [tenantId ?? OPERATOR], limit: MAX_CONNECTIONS });
      const isFull = items.length >= MAX_CONNECTIONS;
      const taken = new Set(items.map(({ value }) => value.slot));
      let slot = 0;
      while (taken.has(slot)) slot += 1;
      const insert = this.#document(connection, { slot, createdAt: this.#options.clock.now() });
      const [outcome] = isFull ? [] : await store.apply([{ in: connections, insert }]);
      if (outcome?.kind === 'written') return insert;
      if (outcome?.kind === 'taken' && outcome.index === 'slot') return undefined;
      const isTaken = (await store.get(connections, [connectionId])) !== undefined;
      if (isTaken) throw new AppError('40902', `The id ${connectionId} is in use; choose another one`);
      const owner = tenantId === null ? 'The operator' : 'A tenant';
      throw new AppError('40902', `${owner} has at most ${MAX_CONNECTIONS} connections; delete one first`);
    });
  }

  #document({ credentials, tenantId, limits, carriers, ...fields }: Connection, known: Pick<Document, 'slot' | 'createdAt'>): Document {
    const { sealer, clock } = this.#options;
    const sealedCredentials = sealer.seal(JSON.stringify(credentials), placeOf(fields.connectionId));
    const { slot, createdAt } = known;
    const sealed = { sealedCredentials, slot, createdAt, updatedAt: clock.now() };
    return { ...fields, ...sealed, owner: tenantId ?? OPERATOR, carriers: [...carriers], ...(limits !== null && { limits }) };
  }

  /** Undefined when the credentials cannot be opened, which is logged: the secret of the installation differs. */
  #opened(document: Document): Connection | undefined {
    const { sealer, logger } = this.#options;
    const { connectionId, sealedCredentials } = document;
    try {
      const credentials = JSON.parse(sealer.open(sealedCredentials, placeOf(connectionId))) as Connection['credentials'];
      return { ...described(document), credentials };
    } catch (error) {
      logger.error(
        { err: error, connection_id: shownId(connectionId) },
        'The credentials of a connection cannot be opened; it is not used',
      );
      return undefined;
    }
  }

  #shown(document: Document): OwnConnection {
    const { createdAt, updatedAt } = document;
    return { connection: this.#opened(document) ?? described(document), createdAt, updatedAt };
  }

  #assertRight(tenantId: string | null, input: OperatorConnection): void {
    const sources = sourcesFor(tenantId, this.#options.sources);
    const errors = [...ownerErrors(tenantId, input), ...connectionErrors(input, sources), ...tokenErrors(input, sources)];
    if (errors.length > 0) throw AppError.validation(errors);
  }

  /** The connection after a change. One whose credentials are unreadable has none: then the change has to bring all of them. */
  #changed(former: Connection, patch: ConnectionPatch): Connection {
    const source = this.#options.sources.get(former.source);
    const baseUrl = patch.base_url === undefined ? former.baseUrl : patch.base_url;
    const limits = patch.limits === undefined ? former.limits : patch.limits;
    const input: OperatorConnection = {
      source: former.source,
      carriers: [...(patch.carriers ?? former.carriers)],
      credentials: source === undefined ? former.credentials : changedCredentials(former.credentials, patch.credentials ?? {}, source),
      ...(baseUrl !== null && { base_url: baseUrl }),
      ...(limits !== null && { limits }),
    };
    this.#assertRight(former.tenantId, input);
    return connectionOf(input, former.tenantId, former.connectionId);
  }

  /** After a change, this process sees it at once. */
  #noteChange(what: string, { owner, connectionId, source }: Document): void {
    this.#owners.forget(owner);
    this.#ids.forget(connectionId);
    const fields = { connection_id: shownId(connectionId), tenant_id: owner === OPERATOR ? null : owner, source };
    this.#options.logger.info(fields, `A connection was ${what}`);
  }
}
