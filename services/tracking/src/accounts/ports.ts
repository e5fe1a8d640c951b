import type { ConnectionTestResult } from '@parcelway/contracts/carrier-connection-api';
import type { Registration } from '../watch/domain/shipment.ts';
import type { CallDecision, CallLedger, CallVerdict } from './domain/call-ledger.ts';
import type { Connection } from './domain/connection.ts';

/** A connection as it is stored. Times in epoch milliseconds. */
export interface StoredConnection extends Omit<Connection, 'credentials'> {
  /** JSON of the credentials, sealed (kernel sealed-text) for the place {@link placeOf}. */
  readonly sealedCredentials: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Where the credentials of a connection are kept, for the seal. */
export function placeOf(connectionId: string): string {
  return `tracking/connections/${connectionId}`;
}

/** The connections of tenants, and those that an operator has added. */
export interface ConnectionStore {
  /** @returns false when the owner has `limit` connections already, or somebody has one of this id */
  insert(connection: StoredConnection, limit: number): Promise<boolean>;
  /** Those of one owner, oldest first. @param tenantId null for the operator */
  list(tenantId: string | null): Promise<readonly StoredConnection[]>;
  get(connectionId: string): Promise<StoredConnection | undefined>;
  /** Those of all owners, by id. @param after the last id of the page before; null for the first page */
  page(after: string | null, limit: number): Promise<readonly StoredConnection[]>;
  /** Replaces a connection that is still as it was. @returns false when it was changed or removed meanwhile */
  replace(before: StoredConnection, after: StoredConnection): Promise<boolean>;
  /** @returns false when the owner has no such connection */
  remove(tenantId: string | null, connectionId: string): Promise<boolean>;
}

/** What connections have called, shared by all processes. An id is that of a connection, or call-ledger registrationsOf it. */
export interface CallLedgers {
  /** Decides on the ledger of a connection and writes it in one durable step. `decide` may run several times. */
  take(connectionId: string, decide: (ledger: CallLedger) => CallDecision): Promise<CallVerdict>;
  /** Changes the ledger; the same ledger writes nothing. */
  change(connectionId: string, change: (ledger: CallLedger) => CallLedger): Promise<void>;
  /** @returns the ledger of a connection that has called nothing when there is none */
  read(connectionId: string): Promise<CallLedger>;
}

/** What a source is asked for. */
export interface AskOptions {
  /** A query has somebody waiting. */
  readonly purpose: 'query' | 'poll';
  readonly traceparent?: string | undefined;
  /**
   * Notes a question to a source that may be asked for a parcel only so often; called just before the call.
   * @returns false when the last one was less than `gapMs` ago
   */
  note(gapMs: number): Promise<boolean>;
  /** Notes that every source refuses the number: that is what is known of the parcel for a while. */
  noteRefused(): Promise<void>;
  /** Keeps a new registration; called as soon as the source has taken it. */
  keep(registration: Registration): Promise<void>;
}

/** What a test of a connection shows. */
export interface TestOutcome {
  readonly result: ConnectionTestResult;
  readonly message: string;
}

/** Makes one call that shows whether the vendor accepts the credentials. A refusal is an outcome. @throws AppError 50301 when the store is out */
export type TestConnection = (connection: Connection) => Promise<TestOutcome>;
