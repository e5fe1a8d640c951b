import type { SessionKind } from '@parcelway/contracts/key-api';
import type { KnownKey } from './domain/key.ts';
import type { TableRoute } from './domain/route-table.ts';

/** The store of keys, as the proxy uses it. */
export interface KeyLookup {
  /** The key with this hash, whatever its state. @throws AppError 50301 when the store is out */
  findByHash(hash: string): Promise<KnownKey | undefined>;
}

/** A call with the key of an active tenant. */
export interface TenantCall {
  readonly tenantId: string;
  readonly keyId: string;
  /** The session of the console that acts for the key; null when the key itself was sent. */
  readonly session: SessionKind | null;
  /** Of the client. */
  readonly address: string;
  readonly requestId: string;
  readonly method: string;
  /** Null when there is no such route. */
  readonly route: TableRoute | null;
  /** Without the query, percent-encoding as sent. */
  readonly path: string;
}

/** What a call came to. */
export interface CallEnd {
  /** HTTP status; 499 when the client closed the connection. */
  readonly status: number;
  readonly seconds: number;
  /** The envelope of a failure of the gateway's own; undefined otherwise. */
  readonly failure: { readonly code: string; readonly message: string; readonly data: unknown } | undefined;
  /** The body of a small response of a service, if it failed or the call was announced; undefined otherwise. */
  readonly content: Buffer | undefined;
  /** What the gateway itself has created; undefined when it is nothing, or a service has. */
  readonly createdId: string | undefined;
  /** True for the recorded response of a former request. */
  readonly isRepetition: boolean;
  /** False when nobody has worked on the request, for example because its body did not come whole: it has changed nothing. */
  readonly isPassedOn: boolean;
}

/** A call of which it is known that it changes something. */
export interface AnnouncedCall {
  /** The call is over. Called once, unless it is cancelled. */
  end(end: CallEnd): void;
  /** The request does not go on. */
  cancel(): void;
}

/** Sees every call of an active tenant. */
export interface CallObserver {
  /**
   * Before the request goes on, after every check.
   * @returns undefined when it changes nothing that is to be known
   * @throws AppError 50301 or 42901 when the request must not go on
   */
  announce(call: TenantCall): Promise<AnnouncedCall> | undefined;
  /** After the response, also of calls that were refused. */
  ended(call: TenantCall, end: CallEnd): void;
}
