import { type ConnectionTestResult, MAX_CONNECTIONS } from '@parcelway/contracts/carrier-connection-api';
import type { OperatorConnection, OperatorConnectionChange } from '@parcelway/contracts/operator-connection-api';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { idFromSeed, newToken } from '@parcelway/kernel/ids';
import type { Logger } from '@parcelway/kernel/logger';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { TextSealer } from '@parcelway/kernel/sealed-text';
import type { ConnectionStore } from './connection-store.ts';
import { type Connection, type ConnectionCredentials, placeOf, type StoredConnection, shownId } from './domain/connection.ts';
import {
  changedCredentials,
  connectionErrors,
  connectionOf,
  ownerErrors,
  type SourceDescriptions,
  sourcesFor,
  tokenErrors,
} from './domain/connection-input.ts';
import { type FindConnections, openConnection, withoutHidden } from './find-connections.ts';

/** A connection as its owner sees it: no credential, only their names. Times in epoch milliseconds. */
export interface ConnectionSummary extends Omit<Connection, 'credentials'> {
  /** Empty when they cannot be opened any more. */
  readonly credentialNames: readonly string[];
  readonly doesPush: boolean;
  readonly isConfigured: boolean;
  /** Null for a configured one. */
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
}

/** What is changed of a connection; all else stays. The operator alone may set an address. */
type ConnectionPatch = { readonly [Field in keyof OperatorConnectionChange]: OperatorConnectionChange[Field] | undefined };

/** What a test of a connection shows. */
export interface TestOutcome {
  readonly result: ConnectionTestResult;
  readonly message: string;
}

/** Makes one call that shows whether the vendor accepts the credentials. A refusal is an outcome. @throws AppError 50301 when the store is out */
export type TestConnection = (connection: Connection) => Promise<TestOutcome>;

/** What connections are managed with. */
export interface ManageConnectionsOptions {
  readonly store: ConnectionStore;
  readonly sealer: TextSealer;
  readonly configured: readonly Connection[];
  readonly sources: SourceDescriptions;
  readonly find: Pick<FindConnections, 'forget'>;
  readonly testConnection: TestConnection;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Of the id: nobody guesses the address of its pushes. */
const ID_BYTES = 18;

const UNREADABLE: TestOutcome = {
  result: 'access_denied',
  message: 'The stored credentials cannot be read any more, because a secret of the platform has changed. Send all of them again',
};

const noSuchConnection = (): AppError => new AppError('40403', 'The connection does not exist');

const configuredError = (connectionId: string): AppError =>
  new AppError('40902', `The connection ${connectionId} is set in TRACKING_SOURCES: change it there, and start the tracking service again`);

const hiddenError = (connectionId: string): AppError =>
  new AppError(
    '40902',
    `The connection ${connectionId} is in TRACKING_SOURCES and in the store. To remove it from the store, take it out of TRACKING_SOURCES, start the tracking ` +
      'service again, and remove it then',
  );

/** Connections by owner: a tenant, or null for the operator. Methods that name one throw AppError 40403 when the owner has no such connection. */
export class ConnectionManager {
  readonly #options: ManageConnectionsOptions;

  constructor(options: ManageConnectionsOptions) {
    this.#options = options;
  }

  /**
   * @param tenantId null for the operator
   * @param seed of the request, which makes one connection however often it is called
   * @throws AppError 42201 when a field is wrong, 40902 when the id is in use or the owner has as many as it may
   */
  async create(tenantId: string | null, input: OperatorConnection, seed?: string): Promise<ConnectionSummary> {
    const { store, configured, clock } = this.#options;
    const connectionId = seed === undefined ? `con_${newToken(ID_BYTES)}` : idFromSeed('con', seed);
    const known = seed === undefined ? undefined : await store.get(connectionId);
    if (known !== undefined && known.tenantId === tenantId) return this.#summaryOfStored(known);
    this.#assertRight(tenantId, input);
    const connection = connectionOf(input, tenantId, connectionId);
    const stored = this.#sealed(connection, clock.now());
    if (configured.some((one) => one.connectionId === stored.connectionId)) throw configuredError(stored.connectionId);
    if (!(await store.insert(stored, MAX_CONNECTIONS))) throw await this.#insertError(stored);
    this.#noteChange('created', stored);
    return this.#summaryOf(connection, stored);
  }

  /** Those of an owner, oldest first; the operator's configured ones first, and of two with one id the configured one alone. */
  async list(tenantId: string | null): Promise<readonly ConnectionSummary[]> {
    const { store, configured } = this.#options;
    const stored = await store.list(tenantId);
    const shown = (tenantId === null ? withoutHidden(stored, configured) : stored).map((one) => this.#summaryOfStored(one));
    return tenantId === null ? [...configured.map((one) => this.#summaryOf(one)), ...shown] : shown;
  }

  async get(tenantId: string | null, connectionId: string): Promise<ConnectionSummary> {
    const known = this.#configured(tenantId, connectionId);
    return known === undefined ? this.#summaryOfStored(await this.#stored(tenantId, connectionId)) : this.#summaryOf(known);
  }

  /** @throws AppError 42201 when the connection would be wrong, 40902 for a configured one, 50301 when others change it all the time */
  async change(tenantId: string | null, connectionId: string, patch: ConnectionPatch): Promise<ConnectionSummary> {
    if (this.#configured(tenantId, connectionId) !== undefined) throw configuredError(connectionId);
    return untilWritten(async () => {
      const before = await this.#stored(tenantId, connectionId);
      const former = this.#opened(before);
      const connection = this.#changed(before, former?.credentials ?? {}, patch);
      if (JSON.stringify(connection) === JSON.stringify(former)) return this.#summaryOf(connection, before);
      const after = this.#sealed(connection, before.createdAt);
      if (!(await this.#options.store.replace(before, after))) return undefined;
      this.#noteChange('changed', after);
      return this.#summaryOf(connection, after);
    });
  }

  /** @throws AppError 40902 for a configured one */
  async remove(tenantId: string | null, connectionId: string): Promise<void> {
    if (this.#configured(tenantId, connectionId) !== undefined) {
      const isStored = (await this.#options.store.get(connectionId)) !== undefined;
      throw isStored ? hiddenError(connectionId) : configuredError(connectionId);
    }
    const stored = await this.#stored(tenantId, connectionId);
    if (!(await this.#options.store.remove(tenantId, connectionId))) throw noSuchConnection();
    this.#noteChange('deleted', stored);
  }

  /** Asks the vendor whether it accepts the credentials. */
  async test(tenantId: string | null, connectionId: string): Promise<TestOutcome> {
    const connection = this.#configured(tenantId, connectionId) ?? this.#opened(await this.#stored(tenantId, connectionId));
    return connection === undefined ? UNREADABLE : this.#options.testConnection(connection);
  }

  #configured(tenantId: string | null, connectionId: string): Connection | undefined {
    return tenantId === null ? this.#options.configured.find((one) => one.connectionId === connectionId) : undefined;
  }

  async #stored(tenantId: string | null, connectionId: string): Promise<StoredConnection> {
    const stored = await this.#options.store.get(connectionId);
    if (stored === undefined || stored.tenantId !== tenantId) throw noSuchConnection();
    return stored;
  }

  #opened(stored: StoredConnection): Connection | undefined {
    return openConnection(stored, this.#options.sealer, this.#options.logger);
  }

  #sealed({ credentials, ...connection }: Connection, createdAt: number): StoredConnection {
    const { sealer, clock } = this.#options;
    const sealedCredentials = sealer.seal(JSON.stringify(credentials), placeOf(connection.connectionId));
    return { ...connection, sealedCredentials, createdAt, updatedAt: clock.now() };
  }

  /** @param stored undefined for a configured one */
  #summaryOf({ credentials, ...connection }: Connection, stored?: StoredConnection): ConnectionSummary {
    return {
      ...connection,
      credentialNames: Object.keys(credentials).sort(),
      doesPush: (this.#options.sources.get(connection.source)?.pushes ?? null) !== null,
      isConfigured: stored === undefined,
      createdAt: stored?.createdAt ?? null,
      updatedAt: stored?.updatedAt ?? null,
    };
  }

  #summaryOfStored(stored: StoredConnection): ConnectionSummary {
    const { connectionId, tenantId, source, baseUrl, carriers, limits } = stored;
    const unreadable: Connection = { connectionId, tenantId, source, baseUrl, carriers, limits, credentials: {} };
    return this.#summaryOf(this.#opened(stored) ?? unreadable, stored);
  }

  #assertRight(tenantId: string | null, input: OperatorConnection): void {
    const sources = sourcesFor(tenantId, this.#options.sources);
    const errors = [...ownerErrors(tenantId, input), ...connectionErrors(input, sources), ...tokenErrors(input, sources)];
    if (errors.length > 0) throw AppError.validation(errors);
  }

  /** The connection after a change. @param former none when they are unreadable: then the change has to bring all of them */
  #changed({ tenantId, connectionId, ...stored }: StoredConnection, former: ConnectionCredentials, patch: ConnectionPatch): Connection {
    const source = this.#options.sources.get(stored.source);
    const baseUrl = patch.base_url === undefined ? stored.baseUrl : patch.base_url;
    const limits = patch.limits === undefined ? stored.limits : patch.limits;
    const input: OperatorConnection = {
      source: stored.source,
      carriers: [...(patch.carriers ?? stored.carriers)],
      credentials: source === undefined ? former : changedCredentials(former, patch.credentials ?? {}, source),
      ...(baseUrl !== null && { base_url: baseUrl }),
      ...(limits !== null && { limits }),
    };
    this.#assertRight(tenantId, input);
    return connectionOf(input, tenantId, connectionId);
  }

  /** After a change, this process sees it at once. */
  #noteChange(what: string, { tenantId, connectionId, source }: StoredConnection): void {
    this.#options.find.forget(tenantId, connectionId);
    this.#options.logger.info({ connection_id: shownId(connectionId), tenant_id: tenantId, source }, `A connection was ${what}`);
  }

  /** Why a connection could not be inserted. */
  async #insertError({ tenantId, connectionId }: StoredConnection): Promise<AppError> {
    const isTaken = (await this.#options.store.get(connectionId)) !== undefined;
    if (isTaken) return new AppError('40902', `The id ${connectionId} is in use; choose another one`);
    const owner = tenantId === null ? 'The operator' : 'A tenant';
    return new AppError('40902', `${owner} has at most ${MAX_CONNECTIONS} connections; delete one first`);
  }
}
