import type { ConnectionTestResult } from '@parcelway/contracts/carrier-connection-api';
import type { Registration } from '../watch/domain/shipment.ts';
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
