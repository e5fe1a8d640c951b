import type { SessionKind } from '@parcelway/contracts/key-api';
import { isScope, type Scope } from '@parcelway/contracts/scopes';
import { createTextSealer, type TextSealer } from '@parcelway/kernel/sealed-text';
import type { KeyRecord } from './key.ts';

/** That a session acts for a key, and until when. */
export interface ActingSession {
  readonly kind: SessionKind;
  /** When it or its key ends; epoch milliseconds. */
  readonly expiresAt: number;
}

/** What a session may do, and whose it is. */
export interface OpenedSession {
  /** Of the key that it acts for. */
  readonly keyHash: string;
  /** Null: all of the key, because somebody signed in with it. A link names its scopes. */
  readonly scopes: readonly Scope[] | null;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** `pfs_` and a sealed text. Longer than any key, shorter than the headers may be. */
const TOKEN_PATTERN = /^pfs_s1\.[A-Za-z0-9_-]{1,16}\.[A-Za-z0-9_-]{1,2000}$/;

/** The record by which a session is judged: that of its key, with no more than the session may do, and no longer. */
export function recordOfSession(record: KeyRecord, { scopes, expiresAt }: OpenedSession): KeyRecord {
  return {
    ...record,
    scopes: scopes === null ? record.scopes : record.scopes.filter((scope) => scopes.includes(scope)),
    expiresAt: earlier(expiresAt, record),
  };
}

/** How a session came to be, and when it or its key ends. @param record of its key */
export function actingSession({ scopes, expiresAt }: OpenedSession, record: KeyRecord): ActingSession {
  return { kind: scopes === null ? 'session' : 'link', expiresAt: earlier(expiresAt, record) };
}

/** The instant, or the end of the key when that comes first. */
const earlier = (instant: number, { expiresAt }: KeyRecord): number => (expiresAt === null ? instant : Math.min(instant, expiresAt));

/** Where tokens are bound to: what is sealed for another purpose opens no session. */
const PLACE = 'console session';
const PREFIX = 'pfs_';
/** Of what is sealed. */
const VERSION = 1;

/** Seals and opens the tokens of sessions. Nothing of them is stored: they hold the hash of their key, and nobody can make or read one without a secret. */
export class SessionTokens {
  readonly #sealer: TextSealer;

  /** @param secrets of the installation, the current one first; a token ends with the one that sealed it */
  constructor(secrets: readonly string[]) {
    this.#sealer = createTextSealer(secrets);
  }

  /** The token of a session. @param scopes null for all of the key @param expiresAt epoch milliseconds */
  seal(keyHash: string, scopes: readonly Scope[] | null, expiresAt: number): string {
    return PREFIX + this.#sealer.seal(JSON.stringify([VERSION, keyHash, scopes, expiresAt]), PLACE);
  }

  /** True for what may be a token rather than a key. */
  isToken(text: string): boolean {
    return TOKEN_PATTERN.test(text);
  }

  /** The session of a token; undefined when it was not sealed here. Whether it has ended is for the caller to say. */
  open(token: string): OpenedSession | undefined {
    let text: string;
    try {
      text = this.#sealer.open(token.slice(PREFIX.length), PLACE);
    } catch {
      // The only failure there is: it was not sealed with these secrets.
      return undefined;
    }
    const [version, keyHash, scopes, expiresAt] = JSON.parse(text) as [unknown, string, string[] | null, number];
    return version === VERSION ? { keyHash, scopes: scopes?.filter(isScope) ?? null, expiresAt } : undefined;
  }
}
