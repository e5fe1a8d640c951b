import type { FieldError } from '@parcelway/kernel/app-error';
import type { GrantedToken } from './access-token.ts';
import type { ParsePush, PushedTrace, PushProof } from './push.ts';
import type { SourceParcel, Trace } from './trace.ts';

/** A vendor that describes parcels. */
export type SourceName = '17track' | 'easypost' | 'aftership' | 'ups' | 'dhl' | 'yunexpress' | 'generic';

/** What a vendor allows. Null where it names no limit. */
export interface SourceLimits {
  readonly requestsPerSecond: number | null;
  readonly numbersPerQuery: number;
  readonly numbersPerRegistration: number;
  /** Calls of every kind in a day, which begins at 00:00 UTC. */
  readonly callsPerDay: number | null;
  /** Fetches of one parcel in 24 hours, spread evenly. */
  readonly fetchesPerParcelPerDay: number | null;
}

/** A parcel as a vendor is asked for it. */
export interface AskedParcel extends SourceParcel {
  /** `carrier_code` of the dispatch, as the warehouse wrote it. The source finds the vendor's own code of it, or leaves the choice to the vendor. */
  readonly carrierCode: string;
  /** What the vendor gave back at the registration; null when it gave nothing, or the parcel was not registered. */
  readonly reference: string | null;
  readonly destinationPostcode?: string | undefined;
  readonly phoneLast4?: string | undefined;
  /** `yyyy-MM-dd`. */
  readonly shipDate?: string | undefined;
  readonly carrierService?: string | undefined;
}

/** What came of one parcel of a query. */
export type QueryResult =
  | { readonly kind: 'trace'; readonly raw: unknown }
  /** The vendor takes the number and knows nothing of it yet. */
  | { readonly kind: 'no news' }
  /** The number has to be registered first. */
  | { readonly kind: 'not registered' }
  /** The vendor does not take the number. A later query has the same result. @property reason for the log */
  | { readonly kind: 'rejected'; readonly reason: string };

/** What came of the registration of one parcel. A parcel that was registered before is registered. */
export type RegisterResult =
  | { readonly kind: 'registered'; readonly reference: string | null }
  | { readonly kind: 'rejected'; readonly reason: string };

/** Credentials of a connection by their names. */
export type Credentials = Readonly<Record<string, string>>;

/** A call of a vendor. */
export interface SourceCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Behind the address of the connection. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is; its content type is among the headers, JSON by default. */
  readonly body?: string | undefined;
}

/** A vendor's response, whatever its status. */
export interface SourceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Undefined when the body is empty. */
  readonly json: unknown;
}

/** One run of a method of a source, which ends by its signal. */
export interface SourceRun {
  readonly credentials: Credentials;
  /**
   * Calls the vendor. The first call of a run is counted already; each further one, such as a second page, waits for its turn, so that the limits of the
   * connection stay exact.
   */
  call(call: SourceCall): Promise<SourceResponse>;
  /** Makes a call with the access token of the connection. Calls for the token do not count. */
  useToken<T>(call: (token: string) => Promise<T>): Promise<T>;
  /** Fetches a new access token, which proves the credentials. */
  freshToken(): Promise<void>;
}

/** The calls of a vendor. Each throws {@link SourceRefusal} when the vendor refuses it as a whole. */
export interface SourceCalls {
  /** The vendor reports these parcels from now on. @param parcels at most `numbersPerRegistration` @returns in the same order */
  register(run: SourceRun, parcels: readonly AskedParcel[]): Promise<readonly RegisterResult[]>;
  /** Undoes {@link register}; a parcel that is not registered is no error. Undefined where the vendor has no such call. */
  unregister?(run: SourceRun, parcel: AskedParcel): Promise<void>;
  /** What the vendor knows of these parcels. @param parcels at most `numbersPerQuery` @returns in the same order */
  query(run: SourceRun, parcels: readonly AskedParcel[]): Promise<readonly QueryResult[]>;
  /** The cheapest call that shows whether the credentials are right. */
  test(run: SourceRun): Promise<void>;
  /** Gets an access token, where the vendor grants one. */
  fetchToken?(run: SourceRun): Promise<GrantedToken>;
}

/** How the pushes of a vendor are read. */
export interface SourcePushes {
  /** The credential that proves a push, and the one in its place where a connection has no such credential. The former value is in `previous_<name>`. */
  readonly secret: readonly [name: string, otherwise?: string];
  readonly proof: PushProof;
  /** Whether a push is of the parcel with this reference, where two parcels may have one number; default: it is. @param reference null for an unknown one */
  isOf?(pushed: PushedTrace, reference: string | null): boolean;
  /** Decrypts the body of a push that was verified; undefined where the vendor does not encrypt. @throws Error with the reason */
  open?(body: Uint8Array, secrets: readonly string[]): Uint8Array;
  readonly parse: ParsePush;
  /** Body of the response that shows the vendor that its push has arrived; undefined where the status says so. @param body as {@link open} gives it */
  acknowledge?(body: Uint8Array): string | undefined;
  /**
   * Calls the vendor where a push asks us to confirm its subscription; any other push makes no call. Undefined where no push asks.
   * @param body verified, as {@link open} gives it
   * @returns undefined when the push asks for nothing; otherwise the call
   * @throws Error with the reason when the push asks and cannot be used
   */
  confirmation?(body: Uint8Array): ((run: SourceRun) => Promise<void>) | undefined;
}

/** Secrets of a connection that a push may be proved with, the present one first; empty when the connection has none. */
export function pushSecrets({ secret: [name, otherwise = ''] }: SourcePushes, credentials: Credentials): readonly string[] {
  const secrets = [credentials[name] ?? credentials[otherwise], credentials[`previous_${name}`]];
  return secrets.filter((secret) => secret !== undefined && secret !== '') as string[];
}

/** Standard limits of a vendor that names none and takes one number in a call. */
export const NO_LIMITS: SourceLimits = {
  requestsPerSecond: null,
  numbersPerQuery: 1,
  numbersPerRegistration: 1,
  callsPerDay: null,
  fetchesPerParcelPerDay: null,
};

/** The calls of a vendor that registers nothing. */
export const NO_REGISTRATION: Pick<SourceCalls, 'register'> = {
  register: async (_run, parcels) => parcels.map(() => ({ kind: 'registered', reference: null })),
};

/** A vendor: what it allows and needs, how it is called, and how its texts are read. */
export interface TrackingSource extends SourceCalls {
  readonly name: SourceName;
  readonly baseUrl: string;
  /** Names of the credentials: those that a connection must have, and those that it may have. */
  readonly credentials: { readonly required: readonly string[]; readonly optional: readonly string[] };
  /** What is wrong with credentials that have the right names; undefined for nothing. The message shows none of them. */
  faultOf?(credentials: Credentials): FieldError | undefined;
  readonly limits: SourceLimits;
  /** Tracking numbers that the vendor accepts, as a pattern and in words; default: any. Other numbers are never sent, because the vendor may charge a call for each. */
  readonly takes?: { readonly pattern: RegExp; readonly words: string };
  /**
   * What a parcel is registered for. `queries`: none works without it. `pushes`: the vendor pushes what is registered, and queries need nothing, so a
   * registration that the vendor refuses or rejects does not stop them. Null: nothing is registered.
   */
  readonly registersFor: 'queries' | 'pushes' | null;
  /** What takes of the quota, where it is registrations alone: while it is used up, no other call has to wait. Default: every call may. */
  readonly quotaFor?: 'registrations';
  /** How long a registration lasts, milliseconds; default: as long as the parcel is under watch. */
  readonly registrationLastsMs?: number;
  /** A parcel that the vendor reported less than so many milliseconds ago is not asked for; default one minute. */
  readonly freshForMs?: number;
  /** Null where the vendor does not push. */
  readonly pushes: SourcePushes | null;
  /**
   * Pure: nodes of a response or of a push.
   * @throws Error with the reason when `raw` is nothing of this vendor's
   */
  translate(raw: unknown, parcel: SourceParcel): Trace;
}
