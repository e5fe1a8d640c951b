// Made from the contract by `npm run docs`; do not edit.
import type { Warning } from './warnings.ts';

/** Carrier connection */
export interface CarrierConnection {
  readonly connection_id: string;
  /** Vendor of the account */
  readonly source: string;
  /** Carrier codes in lower case; `*` for every carrier but `simulated` */
  readonly carriers: readonly string[];
  /** Names of the stored credentials. Empty when they cannot be read any more: send all of them again */
  readonly credential_names: readonly string[];
  /** Where the source sends its pushes; enter it there as it is, and keep it secret. null when the source does not push */
  readonly push_url: string | null;
  /** What the source grants your account, in the place of its standard limits. A limit that is not named is the standard one. A change replaces all of them; `null` is for the standard limits */
  readonly limits: ConnectionLimits | null;
  /** When it was created */
  readonly create_time: string;
  /** When it last changed */
  readonly update_time: string;
}

/** Carrier connection list */
export interface CarrierConnectionList {
  /** Oldest first, at most 50 */
  readonly connections: readonly CarrierConnection[];
}

/** Connection change */
export interface ConnectionChange {
  /** Codes of the carriers that the connection serves, in any case; `*` for every carrier but `simulated` */
  readonly carriers?: readonly string[];
  /** The credentials to replace, by name; all others stay. `null` removes an optional one. The former value of a secret that proves pushes is kept as `previous_<name>`: pushes signed with either are accepted until you remove it */
  readonly credentials?: Readonly<Record<string, string | null>>;
  /** What the source grants your account, in the place of its standard limits. A limit that is not named is the standard one. A change replaces all of them; `null` is for the standard limits */
  readonly limits?: ConnectionLimits | null;
}

/** Connection creation */
export interface ConnectionCreation {
  /** Vendor of the account */
  readonly source: '17track' | 'easypost' | 'aftership' | 'ups' | 'dhl' | 'yunexpress';
  /** Codes of the carriers that the connection serves, in any case; `*` for every carrier but `simulated` */
  readonly carriers: readonly string[];
  /** Keys and secrets of your account with the source, by name. No response shows them */
  readonly credentials: Readonly<Record<string, string>>;
  /** What the source grants your account, in the place of its standard limits. A limit that is not named is the standard one. A change replaces all of them; `null` is for the standard limits */
  readonly limits?: ConnectionLimits;
}

/** Connection deletion */
export interface ConnectionDeletion {
  readonly connection_id: string;
  readonly deleted: true;
}

/** What the source grants your account, in the place of its standard limits. A limit that is not named is the standard one. A change replaces all of them; `null` is for the standard limits */
export interface ConnectionLimits {
  /** Calls in a second; below 1 for one call in several seconds */
  readonly requests_per_second?: number;
  /** Calls of every kind in a day, which begins at 00:00 UTC */
  readonly calls_per_day?: number;
  /** Calls for one parcel in 24 hours, spread evenly */
  readonly fetches_per_parcel_per_day?: number;
}

/** Connection saved */
export interface ConnectionSaved {
  readonly connection_id: string;
  /** Vendor of the account */
  readonly source: string;
  /** Carrier codes in lower case; `*` for every carrier but `simulated` */
  readonly carriers: readonly string[];
  /** Names of the stored credentials. Empty when they cannot be read any more: send all of them again */
  readonly credential_names: readonly string[];
  /** Where the source sends its pushes; enter it there as it is, and keep it secret. null when the source does not push */
  readonly push_url: string | null;
  /** What the source grants your account, in the place of its standard limits. A limit that is not named is the standard one. A change replaces all of them; `null` is for the standard limits */
  readonly limits: ConnectionLimits | null;
  /** When it was created */
  readonly create_time: string;
  /** When it last changed */
  readonly update_time: string;
  /** Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each */
  readonly warnings: readonly Warning[];
}

/** Connection test */
export interface ConnectionTest {
  readonly connection_id: string;
  /** works: the source accepts the credentials; access_denied: it refuses them; unavailable: it did not say, because it fails or takes no call at the moment */
  readonly result: 'works' | 'access_denied' | 'unavailable';
  /** What it means and what to do next, as a sentence for people */
  readonly message: string;
}
